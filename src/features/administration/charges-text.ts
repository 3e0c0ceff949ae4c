// Decodes a CSV file of the provider, and divides it for several requests.
import { MAX_CHARGES_TEXT } from '#contract/payments/operator-tasks.ts'

/** Decodes UTF-8, and else Shift_JIS, in which Japanese systems export. */
export function decodedCsv(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('shift_jis').decode(bytes)
  }
}

/**
 * Divides a text at ends of lines into parts that a request may have, each with the head line. Lines inside quoted cells
 * are not expected: the list has numbers, states and times.
 * @param most longest part, characters
 */
export function partsOf(text: string, most: number = MAX_CHARGES_TEXT): string[] {
  if (text.length <= most) return [text]
  const [head = '', ...lines] = text.split(/\r\n|\n|\r/)
  const parts: string[] = []
  let part = head
  for (const line of lines) {
    if (part.length + line.length + 1 > most && part !== head) {
      parts.push(part)
      part = head
    }
    part += `\n${line}`
  }
  return [...parts, part]
}
