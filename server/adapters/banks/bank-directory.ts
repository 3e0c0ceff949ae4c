// The directory of Japanese banks and branches, searched by name, kana or code.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type DirectoryEntry, MAX_FOUND } from '#contract/payouts/banks.ts'
import type { BankLines } from './package-worker.ts'
import { searchKey } from './search-key.ts'

export interface BankDirectory {
  /** Banks whose code or name begins with the text, then those that contain it; at most `MAX_FOUND`. */
  searchBanks(text: string): Promise<DirectoryEntry[]>
  /** Branches of a bank, as `searchBanks`; undefined for an unknown bank. */
  searchBranches(bankCode: string, text: string): Promise<DirectoryEntry[] | undefined>
  /** A bank and its branch; undefined unless both exist. */
  find(bankCode: string, branchCode: string): Promise<BankBranch | undefined>
}

export interface BankBranch {
  readonly bank: DirectoryEntry
  readonly branch: DirectoryEntry
}

/** An entry with its name and kana as they are searched. */
interface Searched {
  readonly entry: DirectoryEntry
  readonly keys: readonly string[]
}

interface Bank extends Searched {
  /** The branches as one text, since those of most banks are never read. */
  readonly lines: string
  branches?: readonly Searched[]
}

/** Creates the directory, which is loaded at the first request. */
export function createBankDirectory(): BankDirectory {
  let loading: Promise<Map<string, Bank>> | undefined
  const banks = () => {
    // A thread that failed is started again by the next request.
    loading ??= loadBanks().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    searchBanks: async (text) => search([...(await banks()).values()], searchKey(text, 'bank')),
    async searchBranches(bankCode, text) {
      const bank = (await banks()).get(bankCode)
      return bank && search(branchesOf(bank), searchKey(text, 'branch'))
    },
    async find(bankCode, branchCode) {
      const bank = (await banks()).get(bankCode)
      const found = bank && branchesOf(bank).find(({ entry }) => entry.code === branchCode)
      return bank && found && { bank: bank.entry, branch: found.entry }
    },
  }
}

/**
 * Reads the package in a thread that ends afterwards. Required here, it stops the process for a quarter of a second and
 * keeps 22 MB (14 MB after its objects are dropped, since its source is one literal); as texts it keeps 1.6 MB.
 */
async function loadBanks(): Promise<Map<string, Bank>> {
  const worker = new Worker(new URL('package-worker.ts', import.meta.url))
  const [message] = (await once(worker, 'message')) as [readonly BankLines[]]
  return new Map(
    message.map(({ bank, branches }): [string, Bank] => {
      const searched = searchedOf(bank, 'bank')
      return [searched.entry.code, { ...searched, lines: branches }]
    }),
  )
}

function searchedOf(line: string, of: 'bank' | 'branch'): Searched {
  const [code = '', name = '', kana = ''] = line.split('\t')
  return { entry: { code, name, kana }, keys: [searchKey(name, of), searchKey(kana, of)] }
}

function branchesOf(bank: Bank): readonly Searched[] {
  bank.branches ??= bank.lines.split('\n').map((line) => searchedOf(line, 'branch'))
  return bank.branches
}

/** Equal names, then codes and names that begin with the key, then names that contain it; each in the list's order. */
function search(list: readonly Searched[], key: string): DirectoryEntry[] {
  const equal = list.filter(({ keys }) => keys.includes(key))
  const begins = list.filter(
    ({ entry, keys }) => entry.code.startsWith(key) || keys.some((it) => it.startsWith(key)),
  )
  const contains = list.filter(({ keys }) => keys.some((it) => it.includes(key)))
  const ordered = new Set([...equal, ...begins, ...contains])
  return Array.from(ordered, (it) => it.entry).slice(0, MAX_FOUND)
}
