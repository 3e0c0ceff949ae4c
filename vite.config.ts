// Builds the app and its service worker into dist/.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import tailwind from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { heicSandbox } from './tools/heic-sandbox/plugin.ts'
import { authCallsOf } from './tools/vite/auth-calls.ts'
import { acyclicFiles } from './tools/vite/acyclic-files.ts'
import { serveMediaFixtures } from './tools/vite/media-fixtures.ts'
import { nativeUrl } from './tools/vite/native-url.ts'
import { listPages, readPages } from './tools/pages.ts'
import { addIntegrity } from './tools/vite/precache-integrity.ts'
import { removeGroupings, removeSummaries } from './tools/vite/without-summaries.ts'

const manifest = JSON.parse(readFileSync(new URL('manifest.webmanifest', import.meta.url), 'utf8')) as Record<
  string,
  unknown
>
// With the browser's own Host: the server compares it with the page's origin.
const api = { target: `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`, changeOrigin: false }

/**
 * The build of the app: when its commit was made, as `202611262030` in UTC. The page names it to the server, which can send a
 * notice to people with an old one (`contract/notices/admin-notices.ts`). Without a commit it is the moment of the build.
 */
function buildName(): string {
  try {
    const seconds = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }))
    return minuteOf(seconds * 1000)
  } catch {
    return minuteOf(Date.now())
  }
}
const minuteOf = (at: number) => new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 12)
process.env['VITE_BUILD'] ??= buildName()

/** Pages of settings, money and the operator, which are opened one at a time. */
const settingsRoutes = [
  'settings',
  'plan',
  'notify',
  'administration',
  'admin',
  'appeal',
  'purchase-history',
  'payment',
  'user',
  'creator',
  'about',
  'contact',
]

/** Whether a module is this part of the route of such a page. */
const isPartOfSettings = (id: string, part: string): boolean =>
  id.includes(`tsr-split=${part}`) &&
  settingsRoutes.some((it) => id.includes(`/src/routes/${it}/`) || id.includes(`/src/routes/${it}.tsx`))

/** Whether a module is the component of a page of staff, which a route loads. */
const isPartOfStaff = (id: string): boolean =>
  /\/src\/routes\/-(?:staff|requests)\.tsx/.test(id) ||
  (id.includes('tsr-split=') &&
    (id.includes('/src/routes/admin/') || id.includes('/src/routes/administration.tsx')))

/** Whether a module of the contract is for staff alone; those that other pages use too stay outside. `acyclicFiles` finds one that is missing. */
const isContractOfStaff = (id: string): boolean =>
  /\/contract\/(?:adjustments\/|administration\/(?:audit|audit-names|authority-exports|machine|people|person-(?:acts|parts)|runtime-settings|staff)\.ts|identity\/(?:admin-(?:identity|names)|check-lists)\.ts|payouts\/(?:admin-payouts|balance-names|balances|bank-fees|payout-lists)\.ts|payments\/(?:earlier-refs|issued-(?:documents|names)|operator-tasks)\.ts|posts\/admin-reports\.ts|sellers\/admin-sellers\.ts)/.test(
    id,
  )

const authCalls = authCallsOf(process.env)

export default defineConfig({
  // A constant, so that a build with the contract's own calls has no code for others.
  define: { 'import.meta.env.VITE_AUTH_CALLS': authCalls ? JSON.stringify(authCalls) : 'undefined' },
  plugins: [
    tanstackRouter({
      target: 'react',
      routesDirectory: 'src/routes',
      generatedRouteTree: 'src/routeTree.gen.ts',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: false,
    }),
    react(),
    tailwind(),
    listPages(),
    removeSummaries(),
    removeGroupings(),
    nativeUrl(),
    acyclicFiles(),
    heicSandbox(),
    serveMediaFixtures(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.js',
      // The plugin derives the source from the file name; ours is named for what it is.
      integration: {
        beforeBuildServiceWorker: (options) => {
          options.swSrc = 'sw/main.ts'
          // The route tree is complete only now.
          process.env['VITE_PAGES'] = JSON.stringify(readPages())
          options.injectManifest.manifestTransforms = [addIntegrity(options.injectManifest.globDirectory)]
        },
      },
      injectRegister: false,
      // `globPatterns` names them already.
      includeManifestIcons: false,
      manifest,
      injectManifest: {
        swSrc: 'sw/main.ts',
        buildPlugins: { vite: [removeSummaries(), nativeUrl()] },
        globPatterns: ['**/*.{html,js,css,svg,woff2}', 'icons/*.png'],
        // Large and not always wanted: the decoders of HEIC, the player of segments. Each is fetched when it is.
        // The share card is for other sites.
        globIgnores: ['**/libheif-*.js', 'heic-sandbox.html', '**/hls.light-*.js', 'icons/share-card.png'],
        maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
      },
      devOptions: { enabled: true, type: 'module' },
    }),
  ],
  resolve: {
    // React has the hook itself; the package is for versions before 18.
    alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }],
  },
  build: {
    target: 'es2022',
    sourcemap: true,
    // What always comes together is one file: a hundred small ones, each asking for the next, held a phone up for longer
    // than all of their code. A part takes along what it needs, so a later one never leads back to an earlier.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 5 },
            {
              name: 'pieces',
              test: /lucide-react|\/src\/ui\/(brand|icon-button|button|avatar|later|states\/(spinner|banner)|overlays\/(menu|alert-dialog))\.tsx$/,
              priority: 3,
            },
            {
              name: 'data',
              test: /\/device\/(session\/session|database\/(database|rows))\.ts$|\/contract\/(rules|posts\/(posts|feed)|people\/people)\.ts$|\/src\/(domain\/api\/errors-text|lib\/persisted-value)\.ts$/,
              priority: 2,
            },
            {
              name: 'reading',
              test: /\/use(SuspenseQuery|CanGoBack)\.js$|\/src\/(query-cache\.tsx|domain\/people\/relations\.ts|lib\/paced\.ts|ui\/tabs\.tsx|features\/(feed\/feed|posts\/post-list|publish\/tray\/sending-card|profiles\/follow-button|shell\/(older-note|load-failure))\.tsx)$/,
              priority: 1,
            },
            // Staff opens one page after the other, and no one else any. What these pages share with others stays outside.
            {
              name: 'staff',
              includeDependenciesRecursively: false,
              // The contract too: in a file of a route, it would be evaluated after the pages that use it.
              test: (id) =>
                id.includes('/src/features/administration/') ||
                // Staff alone looks at pictures of documents this way.
                /\/src\/ui\/pictures\/(?:zoom|use-zoom|zoom-view)\.tsx?/.test(id) ||
                isPartOfStaff(id) ||
                isContractOfStaff(id),
              priority: 1,
            },
            // Cases and inquiries, of staff and of those whom they are about.
            {
              name: 'moderation',
              includeDependenciesRecursively: false,
              test: /\/contract\/(moderation|inquiries)\//,
              priority: 1,
            },
            // Each is a few lines, and the service worker has a digest for every file.
            {
              name: 'failures',
              includeDependenciesRecursively: false,
              // Without those that show more than the failure itself.
              test: (id) =>
                id.includes('tsr-split=errorComponent') &&
                /\/routes\/(index\.|profile\/(edit|follow)|notify\/detail|settings|plan|creator|admin|administration|user|purchase-history|about|contact)[./]/.test(
                  id,
                ) &&
                !/\/(statement|receipt)\.tsx/.test(id),
            },
            {
              name: 'waiting',
              test: (id) =>
                isPartOfSettings(id, 'pendingComponent') ||
                /\/(sales|settings|plans|purchases)-skeleton\.tsx$/.test(id),
            },
            // Read when the first file is picked.
            {
              name: 'kinds',
              test: /\/contract\/kinds\/(bytes|measure|recognise)\.ts$|\/film\/video-client\.ts$/,
            },
            { name: 'sending', test: /\/src\/(sw-bridge|features\/publish\/tray\/deliveries)\.ts$/ },
          ],
        },
      },
    },
    modulePreload: {
      // Safari before 17 does not know the link, and then loads the same files one request later.
      polyfill: false,
      // Naming what each page needs would be a larger part of the first route than the pages' own lines. A first
      // visit waits for one page, /login; meanwhile the worker fetches the rest.
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' || file.includes('/login-') ? needed : [],
    },
  },
  server: {
    port: 5173,
    proxy: {
      '/api': api,
      '/upload-chunking-2': api,
      '/dev/mail': api,
      '/heic-sandbox.html': api,
      '/ws': { ...api, ws: true },
    },
  },
})
