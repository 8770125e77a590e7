import type { SyntaxNode } from '../syntax-tree';
import type { CallSite } from './call-sites';
import type { Environment, Folder } from './fold';
import { printed } from './fold';
import type { Block, Call, NetworkUse } from './module';
import { bare, field } from './nodes';
import { stringPieces } from './string-literal';

const verbs =
  /^(?:get|post|put|delete|head|patch|options|request|stream|urlopen|urlretrieve|Request|connect|ws_connect)$/u;
const clients = /^(?:requests|httpx|urllib\.request|urllib3|aiohttp|websockets?|websocket)\./u;
/** Libraries that take a host and a port, by position or by name. */
const servers =
  /^(?:http\.client\.HTTPS?Connection|smtplib\.SMTP(?:_SSL)?|imaplib\.IMAP4\w*|poplib\.POP3\w*|ftplib\.FTP\w*|telnetlib\.Telnet|asyncio\.open_connection|redis\.(?:Strict)?Redis|psycopg2?\.connect|pymysql\.connect|pymongo\.MongoClient|asyncpg\.connect)$/u;

/** Calls that contact another process by a network, also one on this machine. */
export function networkUses(
  folder: Folder,
  calls: readonly Call[],
  sitesOf: (expression: SyntaxNode, block: Block) => readonly CallSite[],
): readonly NetworkUse[] {
  return calls.flatMap((call): readonly NetworkUse[] => {
    const target = targetOf(folder, call);
    if (target === undefined) return [];
    const use = (url: string | null, host: string | null, port: number | null, site?: CallSite): NetworkUse => ({
      call,
      node: site?.call?.node ?? call.node,
      targetNode: target,
      url,
      host,
      port,
      block: site?.call?.block ?? call.block,
    });
    if (target === null) return [use(null, null, null)];
    return sitesOf(target, call.block).map((site) => {
      const pair = hostAndPort(folder, call, target, site.environment);
      if (pair !== null) return use(null, pair.host, pair.port, site);
      const url = prefix(folder, target, site.environment, 0);
      const { host, port } = partsOfUrl(url);
      return use(url === '' ? null : url, host, port, site);
    });
  });
}

/** The argument that says where to; null when there is none, undefined for a call that contacts nobody. */
function targetOf(folder: Folder, call: Call): SyntaxNode | null | undefined {
  const { callee, name } = call;
  const [first, second] = call.arguments;
  const named = call.keywords.get('url') ?? call.keywords.get('host');
  if (callee !== null) {
    if (callee === 'socket.create_connection' || servers.test(callee)) return first ?? named ?? null;
    if (callee === 'grpc.insecure_channel') return first ?? null;
    if (clients.test(callee))
      return !verbs.test(name)
        ? undefined
        : name === 'request' && second !== undefined
          ? second
          : (first ?? named ?? null);
    return undefined;
  }
  if (first === undefined && named === undefined) return undefined;
  // A method of a session or a socket: known by what it is given.
  if ((name === 'connect' || name === 'connect_ex') && first !== undefined && bare(first).type === 'tuple')
    return first;
  if (!verbs.test(name)) return undefined;
  const candidate = name === 'request' && second !== undefined ? second : (named ?? first);
  if (candidate === undefined) return undefined;
  return /^(?:https?|wss?):\/\//u.test(prefix(folder, candidate, new Map(), 0)) ? candidate : undefined;
}

function hostAndPort(
  folder: Folder,
  call: Call,
  target: SyntaxNode,
  environment: Environment,
): { readonly host: string | null; readonly port: number | null } | null {
  const text = (node: SyntaxNode | undefined): string | null => {
    const value = node === undefined ? null : folder.fold(node, environment, 0);
    return value === null ? null : printed(value);
  };
  const number = (node: SyntaxNode | undefined): number | null => {
    const written = text(node);
    return written !== null && /^\d{1,5}$/u.test(written) ? Number(written) : null;
  };
  const inner = bare(target);
  if (inner.type === 'tuple') {
    const [host, port] = inner.children.filter(({ named, type }) => named && type !== 'comment');
    return { host: text(host), port: number(port) };
  }
  const value = folder.fold(target, environment, 0);
  if (value?.kind === 'tuple') {
    const [host, port] = value.items;
    return {
      host: host?.kind === 'text' ? host.text : null,
      port: port?.kind === 'number' ? port.value : null,
    };
  }
  if (call.callee === null || !servers.test(call.callee) || /^\w+:\/\//u.test(text(target) ?? '')) return null;
  const [host, port] = (text(target) ?? '').split(':');
  return {
    host: host === undefined || host === '' ? null : host,
    port:
      number(call.arguments[1] ?? call.keywords.get('port')) ??
      (port !== undefined && /^\d+$/u.test(port) ? Number(port) : null),
  };
}

export function partsOfUrl(url: string): { readonly host: string | null; readonly port: number | null } {
  const match =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@\s]{0,200}@)?(\[[0-9a-f:.]+\]|[^/:?#\s]+)(?::(\d{1,5}))?(?=[/?#]|$)/iu.exec(url);
  const host = match?.[1] ?? null;
  return { host, port: match?.[2] === undefined ? null : Number(match[2]) };
}

/** The text that an expression begins with, as far as it is constant. */
function prefix(folder: Folder, node: SyntaxNode, environment: Environment, depth: number): string {
  const value = folder.fold(node, environment, 0);
  if (value !== null) return value.kind === 'text' ? value.text : '';
  const inner = bare(node);
  if (depth > 10) return '';
  if (inner.type === 'string') {
    let text = '';
    for (const piece of stringPieces(inner, folder.text).pieces) {
      const part = typeof piece === 'string' ? piece : piece === null ? null : folder.fold(piece, environment, 0);
      const written = typeof part === 'string' ? part : part === null ? null : printed(part);
      if (written === null) break;
      text += written;
    }
    return text;
  }
  if (inner.type === 'binary_operator' && field(inner, 'operator')?.type === '+') {
    const left = field(inner, 'left');
    return left === null ? '' : prefix(folder, left, environment, depth + 1);
  }
  return '';
}
