// Serves the fixtures of /dev/media by the development server.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { MEDIA_FIXTURES_PATH } from '#contract/paths.ts'

/** The part of `server/testing/gallery/list.ts` that is used; it is read only by the development server. */
interface Gallery {
  readonly mediaFixtures: readonly { readonly file: string }[]
  readonly makeFixture: (fixture: { readonly file: string }) => Promise<Buffer>
}

const readGallery = (root: string): Promise<Gallery> =>
  import(/* @vite-ignore */ pathToFileURL(path.join(root, 'server/testing/gallery/list.ts')).href)

/** Makes each file once, one at a time, when it is first asked for. */
function createFiles({ mediaFixtures, makeFixture }: Gallery) {
  const made = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()
  return (file: string): Promise<Buffer> | undefined => {
    const fixture = mediaFixtures.find((it) => it.file === file)
    if (!fixture) return undefined
    const bytes = made.get(file) ?? last.then(() => makeFixture(fixture))
    made.set(file, bytes)
    last = bytes.catch(() => made.delete(file))
    return bytes
  }
}

export function serveMediaFixtures(): Plugin {
  return {
    name: 'media-fixtures',
    apply: 'serve',
    configureServer({ config, middlewares }) {
      let files: ReturnType<typeof createFiles> | undefined
      middlewares.use(MEDIA_FIXTURES_PATH, (request, response, next) => {
        async function reply(): Promise<void> {
          const gallery = await readGallery(config.root)
          const file = decodeURIComponent((request.url ?? '/').slice(1).split('?')[0] ?? '')
          response.setHeader('cache-control', 'no-store')
          if (file === '') {
            response.setHeader('content-type', 'application/json')
            response.end(JSON.stringify(gallery.mediaFixtures))
            return
          }
          files ??= createFiles(gallery)
          const bytes = await files(file)
          if (!bytes) return next()
          response.setHeader('content-type', 'application/octet-stream')
          response.end(bytes)
        }
        reply().catch(next)
      })
    },
  }
}
