// The versions of the product that are measured: this one, and an earlier commit.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { checkOut } from '#bench/rig/servers/earlier-tree.ts'

/** A version of the product. */
export interface Site {
  readonly product: Product
  /** Follows the names of its methods; empty for this version. */
  readonly suffix: string
  close(): Promise<void>
}

/** @param base the earlier commit; undefined for none */
export async function openSites(folder: string, base = process.env['COPYING_BASE']): Promise<Site[]> {
  const data = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path)
    return path
  }
  const product = await openProduct(data('data'))
  const sites: Site[] = [{ product, suffix: '', close: () => product.close() }]
  if (base === undefined || base === '') return sites
  const tree = checkOut(base)
  try {
    execFileSync(process.execPath, [join(tree.folder, 'node_modules/vite/bin/vite.js'), 'build'], {
      cwd: tree.folder,
      stdio: 'ignore',
    })
    const earlier = await openProduct(data('earlier'), {}, tree.folder)
    const close = async (): Promise<void> => {
      await earlier.close()
      tree.remove()
    }
    return [...sites, { product: earlier, suffix: `, ${base}`, close }]
  } catch (error) {
    tree.remove()
    await product.close()
    throw error
  }
}
