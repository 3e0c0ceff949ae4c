// Checks out another commit of the product, to measure two versions.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

export interface EarlierTree {
  readonly folder: string
  remove(): void
}

/**
 * Checks out a commit in a temporary folder, with the packages of this one.
 * @throws Error when git does not have the commit
 */
export function checkOut(commit: string): EarlierTree {
  const parent = mkdtempSync(join(tmpdir(), 'todoke-tree-'))
  const folder = join(parent, 'tree')
  const git = (...args: string[]) =>
    execFileSync('git', ['worktree', ...args], { cwd: root, stdio: 'ignore' })
  const removeParent = () => rmSync(parent, { recursive: true, force: true })
  try {
    git('add', '--detach', folder, commit)
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  } catch (error) {
    removeParent()
    throw error
  }
  return {
    folder,
    remove() {
      git('remove', '--force', folder)
      removeParent()
    },
  }
}
