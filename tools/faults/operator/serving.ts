// Planted faults in what nginx and shared caches send, and in stopping behind nginx.
import type { Fault } from '../fault.ts'

const nginx = 'deploy/nginx/todoke.conf'
const media = ['server/nginx-media.test.ts']
const store = ['server/nginx-store.test.ts']
const storeTls = ['server/nginx-store-tls.test.ts']
const caches = ['server/cdn.test.ts']

export const servingFaults: readonly Fault[] = [
  {
    name: 'each request leaves a listener on its connection',
    file: 'server/http/time-limits.ts',
    find: "        socket.off('close', end)\n",
    replace: '',
    tests: ['server/http/time-limits.test.ts'],
    caughtBy: 'leave no listener on their connection',
  },
  {
    name: 'nginx sends other files of the data folder',
    file: nginx,
    find: '        return 404;\n\n        # Nothing else',
    replace: '        alias /var/lib/todoke/;\n\n        # Nothing else',
    tests: media,
    caughtBy: 'has no file of the data folder besides objects',
  },
  {
    name: 'nginx drops the policy that keeps a stored file from running scripts',
    file: nginx,
    find: '        add_header Content-Security-Policy $todoke_content_security_policy always;\n',
    replace: '',
    tests: media,
    caughtBy: 'has the headers of a server that sends the bytes itself',
  },
  {
    name: 'nginx sends a request that a server may have received to another one',
    file: nginx,
    find: 'proxy_next_upstream error timeout;',
    replace: 'proxy_next_upstream error timeout non_idempotent;',
    tests: ['server/nginx.test.ts'],
    caughtBy: 'only if it may be repeated',
  },
  {
    name: 'cookies and tokens of clients reach the object store',
    file: nginx,
    find: '            proxy_pass_request_headers off;\n',
    replace: '',
    tests: store,
    caughtBy: 'with nothing of the client',
  },
  {
    name: 'the object store chooses what nginx sends',
    file: nginx,
    find: 'proxy_ignore_headers X-Accel-Redirect X-Accel-Expires',
    replace: 'proxy_ignore_headers X-Accel-Expires',
    tests: store,
    caughtBy: 'cannot change what nginx does',
  },
  {
    name: 'errors of the object store reach clients',
    file: nginx,
    find: '            proxy_intercept_errors on;\n',
    replace: '',
    tests: store,
    caughtBy: 'is sent by the server, with one set of headers',
  },
  {
    name: 'nginx reads from a store with any certificate',
    file: nginx,
    find: 'proxy_ssl_verify on; ',
    replace: '',
    tests: storeTls,
    caughtBy: 'another CA signed its certificate',
  },
  {
    name: 'nginx requests no name of a store with TLS',
    file: nginx,
    find: 'proxy_ssl_server_name on; ',
    replace: '',
    tests: storeTls,
    caughtBy: 'is read by its name',
  },
  {
    name: 'the server names an object again that nginx could not read',
    file: 'server/services/media/send-object.ts',
    find: '  if (failed !== undefined) {',
    replace: "  if (failed === 'never') {",
    tests: store,
    caughtBy: 'is sent by the server, with one set of headers',
  },
  {
    name: 'a part of another object is continued from the store',
    file: 'server/services/media/send-object.ts',
    find: 'if (part !== undefined && part !==',
    replace: "if (part === 'never' && part !==",
    tests: store,
    caughtBy: 'begins again after one of another object',
  },
  {
    name: 'shared caches may store media of priced posts',
    file: 'server/modules/media/send.ts',
    find: "'private, no-cache' : 'private, max-age=300'",
    replace: "'private, no-cache' : 'max-age=300'",
    tests: caches,
    caughtBy: 'of a priced post',
  },
  {
    name: 'a call of the API gets a page for people after an error',
    file: 'server/http/failures/error-page.ts',
    find: '/\\btext\\/html\\b/.test',
    replace: '/./.test',
    tests: ['server/http/failures/error-page.test.ts'],
    caughtBy: 'gets the code of the error',
  },
  {
    name: 'a key leaves the prefix of the internal locations',
    file: 'server/services/media/send-object.ts',
    find: '...checkKey(key).split',
    replace: '...key.split',
    tests: ['server/services/media/send-object.test.ts'],
    caughtBy: 'is refused',
  },
  {
    name: 'a media task waits for a process that has ended already',
    file: 'server/adapters/media/media-process.ts',
    find: 'void ended.then(onEnd)',
    replace: "child.once('close', onEnd)",
    tests: ['server/adapters/media/media-process.test.ts'],
    caughtBy: 'a request to a process that has ended is rejected',
  },
]
