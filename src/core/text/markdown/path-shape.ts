import type { PathMention } from './instruction-text';

export type PathShape = Pick<PathMention, 'form' | 'path' | 'folder' | 'pattern'>;

/** Extensions that make a word a file name; `js` and `io` alone would take `Node.js` and domains for files. */
const extensions = new Set(
  `7z a adoc asc avi avro bak bam bash bat bed bib bin bmp bz2 c cbl cc cert cfg class cmake cnf cob conf config cpp crt
  cs csproj css csv cu cue dart dat data db deb desc dev diff dll doc docx dot dta dtd dump ebnf eml enc env eps erl ex
  exe exs f f90 fa fasta fastq flac fit fits fna fq gcode gdb geojson gif go gpg gql gradle graphml graphql gz h h5 hdf5 hh hpp hs
  htm html ics idx img info ini ino ipynb iso jar java jl jpeg jpg js json json5 jsonl jsx key kt kts la lean less lisp
  list lock log lua m m4 mat map md mid mjs mk ml mp3 mp4 msgpack ndjson nc nim npy npz o obj odt ogg out parquet
  pas pb pcap pcapng pdb pdf pem php pid pkl pl plist png ply pm po ppm pptx properties proto ps1 psd pt pth pub py pyc pyi
  pyx qcow2 r raw rb rds rest rlib rmd rom rpm rs rst rtf s sam sav scala scm scss sdf service sh shp sig so sock sol sql
  sqlite sqlite3 srt stan stderr stdout step stl sum sv svg swift swp tar tbl tcl tex tf tga tgz tif tiff toml ts tsv tsx ttf
  txt v vcf vhd vhdl vim vtt vue wasm wat wav webm webp whl wsdl xls xlsx xml xsd xsl xz y yaml yml z zig zip zsh zst`.split(
    /\s+/u,
  ),
);

const bareNames =
  /^(?:Makefile|GNUmakefile|Dockerfile|Containerfile|Gemfile|Rakefile|Procfile|Vagrantfile|Jenkinsfile|Justfile|Pipfile|CMakeLists\.txt|\.env|\.gitignore|\.dockerignore|\.bashrc|\.profile|\.vimrc|\.npmrc|\.editorconfig)$/u;

/** `x.js` as a name of a product, not of a file. */
const products =
  /^(?:node|vue|react|next|express|three|d3|chart|nuxt|backbone|ember|moment|socket|discord|asp|ado|ml|b|e|i|p|u|w|vs|no|v\d+)\.(?:js|io|net|ts|[a-z])$/iu;

const mediaTypes = /^(?:application|text|image|audio|video|multipart|font|message|model)\/[a-z0-9.+*-]+$/iu;

/** Folders that a Unix system has at its root or that containers use by custom; other first parts may be routes. */
const roots =
  /^\/(?:app|bin|boot|code|data|dev|etc|home|input|inputs|lib|lib64|logs|media|mnt|opt|output|outputs|proc|project|repo|results|root|run|sbin|solution|src|srv|sys|task|tests|tmp|usr|var|work|workdir|workspace)(?:\/|$)/u;

/** Whether an absolute path begins as paths of files do, so that it is hardly a route of an HTTP interface. */
export function startsLikeFile(path: string): boolean {
  return roots.test(path) || hasExtension(path);
}

export function hasExtension(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 && extensions.has(name.slice(dot + 1).toLowerCase());
}

/**
 * What kind of path a word is; null when it is none, or might as well be something else. `inCode`: it stands in
 * backticks, where fewer words are ordinary ones.
 */
export function pathShape(word: string, inCode: boolean): PathShape | null {
  if (word.length < 2 || word.length > 1000 || /[\s"'`|;,\\^=&!]/u.test(word)) return null;
  const pattern =
    /[*?{}<>$[\]]|\.{3}|…/u.test(word) || /(?:^|[/_.-])(?:N{1,4}|X{1,6}|Y{2,4}|MM|DD|HH|id|ID)(?=$|[/_.-])/u.test(word);
  const shape = (form: PathShape['form']): PathShape => ({
    form,
    path: normalised(word),
    folder: word.endsWith('/'),
    pattern,
  });
  if (word.startsWith('/')) {
    return /^\/[\p{L}\p{N}._@<{*$[~-]/u.test(word) && !/[:@]\/|\/\/|\(|\)/u.test(word) ? shape('absolute') : null;
  }
  if (/^(?:~|\$HOME|\$\{HOME\})\//u.test(word)) return { ...shape('absolute'), pattern: /[*?<>[\]]/u.test(word) };
  if (/^[a-z][a-z0-9+.-]*:/iu.test(word) || /[():@#%+]/u.test(word.replace(/\+\+/gu, ''))) return null;
  if (/^(?:[$<{]|-)/u.test(word)) return null;
  if (word.includes('/')) {
    if (mediaTypes.test(word) || /^\d+(?:\/\d+)+$/u.test(word)) return null;
    if (/^\.{1,2}\//u.test(word)) return word.length > 3 || inCode ? shape('relative') : null;
    if (!/^[\p{L}\p{N}._*]/u.test(word)) return null;
    const isFile = hasExtension(word) && !/^[a-z0-9-]+\.(?:com|org|net|io|dev)\//iu.test(word);
    return isFile || (inCode && word.endsWith('/')) ? shape('relative') : null;
  }
  if (bareNames.test(word)) return inCode || !word.startsWith('.') ? shape('name') : null;
  if (word.startsWith('.') || products.test(word) || !/^[\p{L}\p{N}_*]/u.test(word)) return null;
  if (!hasExtension(word) || /^[\d.]+$/u.test(word)) return null;
  const dot = word.lastIndexOf('.');
  if (members.has(word.slice(dot + 1)) || objects.test(word.slice(0, dot))) return null;
  return shape('name');
}

/** Extensions that are as often the name of a member, as in `row.key`: such a bare word says nothing. */
const members = new Set(
  'class data config dev env info key list map raw rest service step sum out desc fit ex la po dot cue pub'.split(' '),
);
const objects = /^(?:self|this|np|os|sys|math|torch|df|pd|console|req|res|ctx|obj|plt|time|json|logger|module)$/u;

/** Without `.` parts and a trailing `/`; `..` stays. */
export function normalised(path: string): string {
  const absolute = path.startsWith('/');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return absolute ? `/${parts.join('/')}` : parts.join('/');
}

/** A folder and a relative path as one absolute path; `..` is resolved. */
export function joined(folder: string, path: string): string {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return folder.startsWith('~') || folder.startsWith('$') ? parts.join('/') : `/${parts.join('/')}`;
}
