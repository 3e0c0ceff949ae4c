// The page that uploads with Uppy's core and tus plugin, with the product's chunk size.
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'

declare global {
  interface Window {
    /** Set before a file is picked. */
    token: string
    /** Start of the upload, ms since 1970. */
    startAt: number
  }
}

const CHUNK = 5 * 1024 * 1024

async function send(file: File): Promise<void> {
  const uppy = new Uppy()
  uppy.use(Tus, {
    endpoint: '/upload-chunking-2',
    chunkSize: CHUNK,
    retryDelays: [0, 1000, 3000, 5000],
    headers: { Authorization: `Bearer ${window.token}` },
  })
  uppy.addFile({ name: file.name, type: file.type, data: file })
  await uppy.upload()
}

document.querySelector('input')?.addEventListener('change', (event) => {
  const [file] = (event.target as HTMLInputElement).files ?? []
  if (file) setTimeout(() => void send(file), window.startAt - Date.now())
})
