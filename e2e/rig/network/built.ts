// Builds the app with other settings, and opens that build at the server's address.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from '@playwright/test'
import { TUS_PATH } from '#contract/paths.ts'
import { temporaryFolder } from './ports.ts'

/** Builds the app with these environment variables. @returns the folder of the build */
export function buildWith(settings: Record<string, string>): string {
  const folder = temporaryFolder('built')
  const { status, stderr } = spawnSync('vite', ['build', '--outDir', folder, '--emptyOutDir'], {
    encoding: 'utf8',
    env: { ...process.env, ...settings },
  })
  if (status !== 0) throw new Error(`the build ended with ${status}:\n${stderr}`)
  return folder
}

/** Serves that build, without its worker, to a browser; other requests go to the server. */
export async function openBuilt(context: BrowserContext, folder: string): Promise<void> {
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.startsWith('/api/') || pathname.startsWith(TUS_PATH)) return route.fallback()
    if (pathname === '/sw.js') return route.fulfill({ status: 404 })
    const file = join(folder, pathname)
    if (pathname !== '/' && existsSync(file)) return route.fulfill({ path: file })
    // Uses the server's headers, so that its content security policy applies.
    return route.fulfill({ response: await route.fetch(), path: join(folder, 'index.html') })
  })
}
