import type { Span } from './instruction-text';

/** A run of characters that may be a path, a URL or a name, without the punctuation around it. */
export interface Word extends Span {
  readonly text: string;
}

const run = /[^\s`"“”‘’()|,;]+/gu;
const opening = "'*_[{<";
const closing = "'.:!?*_]}>…";
const partner: Readonly<Record<string, string>> = { ']': '[', '}': '{', '>': '<' };

/** The words of a text that hold a `/` or a `.`, or satisfy `also`; offsets are shifted by `offset`. */
export function pathWords(text: string, offset: number, also?: (word: string) => boolean): readonly Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(run)) {
    const found = match[0];
    if (!found.includes('/') && !found.includes('.') && also?.(found) !== true) continue;
    let start = 0;
    let end = found.length;
    while (
      start < end &&
      opening.includes(found[start] ?? ' ') &&
      !/^(?:\{\w|<\w)[^>}]*[>}]\S/u.test(found.slice(start))
    )
      start++;
    while (end > start && closing.includes(found[end - 1] ?? ' ')) {
      const open = partner[found[end - 1] ?? ''];
      if (open !== undefined && found.slice(start, end - 1).includes(open)) break;
      end--;
    }
    if (end > start)
      words.push({
        start: offset + match.index + start,
        end: offset + match.index + end,
        text: found.slice(start, end),
      });
  }
  return words;
}

const programs = new Set(
  `apk apt apt-get awk bash black bun bundle bzip2 cargo cat cd chmod chown clang clang++ cmake cmp composer conda convert cp curl cut
  date deno df diff dig docker dotnet du echo env export ffmpeg ffprobe file find flake8 flask g++ gcc gdb gem ghc git go gofmt gpg
  gradle grep groupadd gunicorn gunzip gzip head hexdump iconv install java javac jq julia kill kubectl ld less ln ls lua make man md5sum
  mkdir mvn mypy mysql mv nasm nc netstat nginx ninja node nohup npm npx objdump od openssl perl pg_dump php pip pip3 pkill pnpm poetry
  printf ps psql pytest python python2 python3 qemu-system-x86_64 R Rscript readelf redis-cli rm rmdir rsync ruby ruff rustc
  scp sed seq service set sh sha256sum sleep socat sort sqlite3 ssh stat strace strings su sudo systemctl tail tar tcpdump tee test time
  timeout touch tr tree tsc tshark uniq unzip useradd uv uvicorn uvx vi vim wc wget which xargs xxd yarn zcat zip`.split(
    /\s+/u,
  ),
);

/** Whether a line of code is a command: its first word is a program, or a path that is followed by arguments. */
export function isCommand(code: string): boolean {
  const line = code.replace(/^\s*(?:[$#>]\s+)?(?:[A-Z_][A-Z0-9_]*=\S*\s+)*/u, '');
  const first = /^\S+/u.exec(line)?.[0] ?? '';
  if (programs.has(first)) return /\s/u.test(line.trim());
  return /^(?:\.{0,2}\/|~\/)\S*[^/:]$/u.test(first) && /\s\S/u.test(line);
}

export function isProgram(word: string): boolean {
  return programs.has(word);
}
