import { InvalidArgumentError } from 'commander';
import { parseGateNames } from '../core/gates/settings';
import type { GateName } from '../core/gates/verdict';

/** Readers of option values for commander: what they refuse ends the command with 2. */

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number from 1.');
  return Number(text);
}

export function finiteNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError('Give a finite number, such as 1 or 0.5.');
  return value;
}

export function gateList(text: string): readonly GateName[] {
  const parsed = parseGateNames(text);
  if (!parsed.ok)
    throw new InvalidArgumentError(`${parsed.message.charAt(0).toUpperCase()}${parsed.message.slice(1)}.`);
  return parsed.gates;
}

export function filled(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** For an option that may be given several times. */
export function repeated(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), filled(text)];
}
