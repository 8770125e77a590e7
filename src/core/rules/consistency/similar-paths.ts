import { baseName, folderOf } from '../../model/container-path';
import { editDistance } from '../../text/edit-distance';

/** Are two paths so alike that one is probably the other, misspelt? Numbered ones are a series, not a mistake. */
export function isMisspelt(a: string, b: string): boolean {
  if (a === b) return false;
  const [nameA, nameB] = [baseName(a), baseName(b)];
  const [folderA, folderB] = [folderOf(a), folderOf(b)];
  if (folderA === folderB) return isAlike(nameA, nameB) || sameStem(nameA, nameB);
  return nameA === nameB && folderA.split('/').length === folderB.split('/').length && isAlike(folderA, folderB);
}

function sameStem(a: string, b: string): boolean {
  const [stemA, extensionA] = split(a);
  const [stemB, extensionB] = split(b);
  return stemA === stemB && stemA.length >= 3 && extensionA !== '' && extensionB !== '' && extensionA !== extensionB;
}

function split(name: string): readonly [string, string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ''];
}

function isAlike(a: string, b: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/gu, '');
  if (plain(a) === plain(b)) return true;
  if (a.replace(/\d+/gu, '#') === b.replace(/\d+/gu, '#')) return false;
  if (Math.min(a.length, b.length) < 6 || Math.abs(a.length - b.length) > 2) return false;
  const [stemA, extensionA] = split(a);
  const [stemB, extensionB] = split(b);
  if (extensionA !== extensionB) return false;
  // In a short name two letters make another word: `in` and `out`.
  return editDistance(stemA, stemB) <= (Math.min(stemA.length, stemB.length) >= 8 ? 2 : 1);
}
