import type { SyntaxNode } from '../syntax-tree';
import type { FileAction } from './file-uses';
import type { Folder } from './fold';
import { noEnvironment } from './fold';
import type { Call } from './module';

/** What one call does to one file. */
export interface FileCall {
  readonly action: FileAction;
  readonly pathNode: SyntaxNode;
  /** The pattern of `glob`, where it is an argument of its own. */
  readonly pattern: SyntaxNode | null;
}

/** Methods that only a `pathlib.Path` has. */
const pathMethods: ReadonlyMap<string, FileAction> = new Map(
  Object.entries<FileAction>({
    read_text: 'read',
    read_bytes: 'read',
    write_text: 'write',
    write_bytes: 'write',
    touch: 'write',
    exists: 'probe',
    is_file: 'probe',
    is_dir: 'probe',
    is_symlink: 'probe',
    is_socket: 'probe',
    stat: 'probe',
    lstat: 'probe',
    iterdir: 'list',
    rglob: 'list',
    glob: 'list',
    unlink: 'delete',
    rmdir: 'delete',
    mkdir: 'make',
  }),
);

/** Functions whose first argument is the path. */
const functions: ReadonlyMap<string, FileAction> = new Map(
  Object.entries<FileAction>({
    'os.path.exists': 'probe',
    'os.path.lexists': 'probe',
    'os.path.isfile': 'probe',
    'os.path.isdir': 'probe',
    'os.path.islink': 'probe',
    'os.path.getsize': 'probe',
    'os.path.getmtime': 'probe',
    'os.stat': 'probe',
    'os.lstat': 'probe',
    'os.access': 'probe',
    'os.readlink': 'probe',
    'os.listdir': 'list',
    'os.scandir': 'list',
    'os.walk': 'list',
    'glob.glob': 'list',
    'glob.iglob': 'list',
    'os.remove': 'delete',
    'os.unlink': 'delete',
    'os.rmdir': 'delete',
    'shutil.rmtree': 'delete',
    'os.makedirs': 'make',
    'os.mkdir': 'make',
    'sqlite3.connect': 'read',
    'duckdb.connect': 'read',
    'numpy.load': 'read',
    'numpy.loadtxt': 'read',
    'numpy.genfromtxt': 'read',
    'numpy.fromfile': 'read',
    'numpy.save': 'write',
    'numpy.savetxt': 'write',
    'joblib.load': 'read',
    'torch.load': 'read',
    'runpy.run_path': 'read',
    'xml.etree.ElementTree.parse': 'read',
    'lxml.etree.parse': 'read',
    'openpyxl.load_workbook': 'read',
    'pyarrow.parquet.read_table': 'read',
    'soundfile.read': 'read',
    'cv2.imread': 'read',
    'linecache.getlines': 'read',
    'py_compile.compile': 'read',
  }),
);

/** `open` in its many libraries; the mode is the second argument, or `mode=`. */
const opens = new Set([
  'open',
  'io.open',
  'codecs.open',
  'gzip.open',
  'bz2.open',
  'lzma.open',
  'tarfile.open',
  'zipfile.ZipFile',
  'h5py.File',
  'PIL.Image.open',
  'wave.open',
  'aiofiles.open',
]);

export function recogniseFiles(folder: Folder, call: Call): readonly FileCall[] {
  const { callee, name, receiver } = call;
  const [first, second] = call.arguments;
  const one = (action: FileAction, pathNode: SyntaxNode | null | undefined): readonly FileCall[] =>
    pathNode === null || pathNode === undefined ? [] : [{ action, pathNode, pattern: null }];

  if (callee !== null) {
    if (opens.has(callee)) return one(modeOf(folder, call, second), first ?? call.keywords.get('file'));
    if (callee === 'os.open') {
      const flags = second === undefined ? '' : folder.text.slice(second.start, second.end);
      return one(/O_(?:WRONLY|RDWR|CREAT)/u.test(flags) ? 'write' : 'read', first);
    }
    const known = functions.get(callee);
    if (known !== undefined) return one(known, first);
    if (callee.startsWith('p') && /^(?:pandas|polars)\.(?:read|scan)_\w+$/u.test(callee)) return one('read', first);
    if (callee.startsWith('shutil.') && /^shutil\.(?:copy|copy2|copyfile|copytree)$/u.test(callee))
      return [...one('read', first), ...one('write', second)];
    if (callee === 'shutil.move' || callee === 'os.rename' || callee === 'os.replace')
      return [...one('delete', first), ...one('write', second)];
    if (callee === 'os.symlink' || callee === 'os.link') return one('write', second);
    if (callee === 'filecmp.cmp') return [...one('read', first), ...one('read', second)];
    if (callee === 'importlib.util.spec_from_file_location')
      return one('read', second ?? call.keywords.get('location'));
    if (callee === 'importlib.machinery.SourceFileLoader') return one('read', second);
  }
  if (receiver === null || (callee !== null && !ownedByPath(folder, receiver))) return [];
  const action = pathMethods.get(name);
  if (action !== undefined) {
    if (name === 'glob' || name === 'rglob')
      return ownedByPath(folder, receiver) || callee === null
        ? [{ action, pathNode: receiver, pattern: first ?? null }]
        : [];
    // `session.exists(key)` asks no file.
    return action === 'probe' && first !== undefined ? [] : one(action, receiver);
  }
  if (name === 'open' && ownedByPath(folder, receiver)) return one(modeOf(folder, call, first), receiver);
  if (name.startsWith('to_') && /^to_(?:csv|json|parquet|excel|pickle)$/u.test(name) && first !== undefined)
    return one('write', first);
  if ((name === 'rename' || name === 'replace') && first !== undefined && ownedByPath(folder, receiver))
    return [...one('delete', receiver), ...one('write', first)];
  return [];
}

function ownedByPath(folder: Folder, receiver: SyntaxNode): boolean {
  const value = folder.fold(receiver, noEnvironment, 0);
  return value?.kind === 'text' && value.path;
}

function modeOf(folder: Folder, call: Call, positional: SyntaxNode | undefined): FileAction {
  const node = positional ?? call.keywords.get('mode');
  const mode = node === undefined ? null : folder.fold(node, noEnvironment, 0);
  return mode?.kind === 'text' && /^[a-z|:+]*[wax]/u.test(mode.text) ? 'write' : 'read';
}
