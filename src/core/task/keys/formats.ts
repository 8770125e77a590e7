import { matchesWhole, strip } from '../../text/python-text';
import { parseAllowedHost } from '../hosts';
import type { TextFormat } from './key';

const accepted = (value: string): { readonly ok: true; readonly value: string } => ({ ok: true, value });
const refused = (reason: string): { readonly ok: false; readonly reason: string } => ({ ok: false, reason });

const packageName = /^[a-zA-Z0-9][a-zA-Z0-9._-]*\/[a-zA-Z0-9][a-zA-Z0-9._-]*$/u;
const serviceName = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/u;
const topology = /^[1-9]\d*(?:x[1-9]\d*)+$/u;

export const packageNameFormat: TextFormat = {
  name: 'ORG/NAME',
  pattern: '^(?!.*\\.\\.)[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*\\n?$',
  parse: (value) => {
    if (value.includes('..')) return refused('must not contain ".."');
    if (matchesWhole(packageName, value)) return accepted(value);
    return refused(
      'must be ORG/NAME: two parts of letters, digits, ".", "_" and "-" that start with a letter or digit',
    );
  },
};

export const notEmptyFormat: TextFormat = {
  name: 'a text that is not empty',
  pattern: '[\\s\\S]',
  parse: (value) => (value === '' ? refused('must not be empty') : accepted(value)),
};

export const serviceFormat: TextFormat = {
  name: 'a service name',
  parse: (value) => {
    const name = strip(value);
    if (serviceName.test(name)) return accepted(name);
    return refused('must be a service name: letters, digits, "_", "." and "-", starting with a letter or digit');
  },
};

export const topologyFormat: TextFormat = {
  name: 'a topology such as 2x4',
  parse: (value) => {
    const name = strip(value);
    return topology.test(name) ? accepted(name) : refused('must be numbers joined by "x", such as 2x4');
  },
};

export const allowedHostFormat: TextFormat = { name: 'a host', parse: parseAllowedHost };

export const artifactSourceFormat: TextFormat = {
  name: 'a path in the container',
  parse: (value) => (value.split('/').includes('..') ? refused('must not have a ".." in its path') : accepted(value)),
};

export const artifactDestinationFormat: TextFormat = {
  name: 'a path below the artifacts folder',
  parse: (value) => {
    if (value === '') return accepted(value);
    if (value.includes('\\')) return refused('must not contain a backslash');
    if (value.startsWith('/')) return refused('must be relative to the artifacts folder of the trial');
    const parts = value.split('/').filter((part) => part !== '' && part !== '.');
    if (parts.length === 0) return refused('must name something below the artifacts folder');
    if (parts.includes('..')) return refused('must not have a ".." in its path');
    if (parts.join('/') === 'manifest.json') return refused('is the name of the manifest that Harbor writes itself');
    return accepted(value);
  },
};
