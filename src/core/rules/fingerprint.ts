/**
 * 64 bits of FNV-1a over the UTF-16 units of the parts, as 16 hexadecimal digits. It names findings, so it needs to be
 * stable and short, not secret; a pure function keeps the rules free of the platform's hashes.
 */
export function fingerprint(...parts: readonly string[]): string {
  // Two halves of 32 bits: products of 16 and 32 bits stay exact in a double.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const text = parts.join('\u0000');
  for (let i = 0; i < text.length; i++) {
    low = (low ^ text.charCodeAt(i)) >>> 0;
    // Multiply by the prime 0x100000001b3 = 2^40 + 0x1b3.
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x100000000) + (low << 8)) >>> 0;
    low = product % 0x100000000;
  }
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  return hex(high) + hex(low);
}
