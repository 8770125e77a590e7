/** Names and unpacked sizes (bytes) of the files in a zip archive, read from its central directory. */
export function zipEntries(archive: Buffer): readonly { readonly name: string; readonly size: number }[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1) throw new Error('this is no zip archive');
  const entries = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.push({ name: archive.toString('utf8', at + 46, at + 46 + name), size: archive.readUInt32LE(at + 24) });
    at += 46 + name + extra + comment;
  }
  return entries;
}
