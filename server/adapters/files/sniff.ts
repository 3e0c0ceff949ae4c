// Recognises the kind of a file on the disk by the structure of its bytes.
import type { Sniffed } from '#contract/kinds/kind.ts'
import { sniffBytes } from '#contract/kinds/sniff.ts'
import { withFile } from './with-file.ts'

/** The kind of a file, or undefined when the product does not accept it. */
export const sniff = (file: string): Promise<Sniffed | undefined> => withFile(file, sniffBytes)
