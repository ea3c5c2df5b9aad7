import type { ItemRow, MediaRow, StudioField } from '../../../studio-types.ts';
import { fieldsOfSet, getOwn, isBlock, isEmptyValue, isRecord, UnparsedJson } from './values.ts';

/** What ids in values stand for. */
export interface KnownLinks {
  readonly linkedContents: readonly ItemRow[];
  readonly linkedMedia: readonly MediaRow[];
}

/** A value for people to read; groups and lists on several lines. */
export function valueText(field: StudioField, value: unknown, known: KnownLinks): string {
  if (isEmptyValue(field, value)) return '(empty)';
  if (value instanceof UnparsedJson) return value.text;
  switch (field.control) {
    case 'checkbox':
      return value === true ? 'True' : value === false ? 'False' : plainText(value);
    case 'multi-select':
      return Array.isArray(value) ? value.map(String).join(', ') : plainText(value);
    case 'content':
      return linkText(value, known.linkedContents.find(({ id }) => id === value)?.title);
    case 'media':
      return linkText(value, known.linkedMedia.find(({ id }) => id === value)?.name);
    case 'group':
      return groupText(field.fields ?? [], value, known);
    case 'list':
      return listText(value, (entry) => groupText(field.fields ?? [], entry, known));
    case 'blocks':
      return listText(value, (block) => blockText(field, block, known));
    default:
      return plainText(value);
  }
}

/** The first line of a value, for the head of a collapsed entry. */
export function summaryText(fields: readonly StudioField[], group: unknown, known: KnownLinks): string {
  if (!isRecord(group)) return '';
  const given = fields.find((field) => !isEmptyValue(field, getOwn(group, field.luid)));
  if (!given) return '';
  const text = valueText(given, getOwn(group, given.luid), known);
  return given.control === 'rich-text' ? text.replace(/<[^>]*>/g, ' ').trim() : text;
}

function groupText(fields: readonly StudioField[], group: unknown, known: KnownLinks): string {
  if (!isRecord(group)) return plainText(group);
  const given = fields.filter((field) => !isEmptyValue(field, getOwn(group, field.luid)));
  if (given.length === 0) return '(empty)';
  return given
    .map((field) => {
      const text = valueText(field, getOwn(group, field.luid), known);
      return text.includes('\n') ? `${field.luid}:\n${indent(text)}` : `${field.luid}: ${text}`;
    })
    .join('\n');
}

function blockText(field: StudioField, block: unknown, known: KnownLinks): string {
  const fields = isBlock(block) && fieldsOfSet(field, block.luid);
  if (!isBlock(block) || !fields) return plainText(block);
  return `${block.luid}\n${indent(groupText(fields, block.fields, known))}`;
}

function listText(value: unknown, entryText: (entry: unknown) => string): string {
  if (!Array.isArray(value)) return plainText(value);
  return value.map((entry, index) => `${index + 1}. ${indent(entryText(entry)).trimStart()}`).join('\n');
}

function linkText(id: unknown, name: string | undefined): string {
  return name === undefined ? plainText(id) : `${name} (${String(id)})`;
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? String(value));
}

function indent(text: string): string {
  return text.replace(/^/gm, '   ');
}
