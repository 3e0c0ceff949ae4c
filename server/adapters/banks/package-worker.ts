// Worker thread: reads the package of banks and posts its entries as lines.
import { parentPort } from 'node:worker_threads'
import banks from 'zengin-code'

/** A bank, and a line for each branch; both by code. A line has code, name and kana, with tabs between. */
export interface BankLines {
  readonly bank: string
  readonly branches: string
}

interface Entry {
  readonly code: string
  readonly name: string
  readonly kana: string
}

const byCode = (a: Entry, b: Entry): number => (a.code < b.code ? -1 : 1)

/** The package writes the long vowel mark of kana as a full-width hyphen. */
const lineOf = ({ code, name, kana }: Entry): string => `${code}\t${name}\t${kana.replaceAll('－', 'ー')}`

const lines = Object.values(banks)
  .toSorted(byCode)
  .map((bank): BankLines => {
    const branches = Object.values(bank.branches).toSorted(byCode).map(lineOf).join('\n')
    return { bank: lineOf(bank), branches }
  })
parentPort?.postMessage(lines)
