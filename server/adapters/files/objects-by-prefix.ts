// A store whose objects are in several stores, by the prefix of their key.
import { type ObjectKey, type ObjectStore, type Prefix, prefixOf } from './object-store.ts'

export function createObjectsByPrefix(stores: Readonly<Record<Prefix, ObjectStore>>): ObjectStore {
  const of = (key: ObjectKey) => stores[prefixOf(key)]
  return {
    pathOf: (key) => of(key).pathOf(key),
    signedRead: async (key) => of(key).signedRead(key),
    factsOf: async (key) => of(key).factsOf(key),
    sizeOf: async (key) => of(key).sizeOf(key),
    read: (key, part) => of(key).read(key, part),
    withLocal: async (key, work) => of(key).withLocal(key, work),
    withBytes: async (key, work) => of(key).withBytes(key, work),
    digestOf: async (key) => of(key).digestOf(key),
    put: async (key, file) => of(key).put(key, file),
    putFolder: async (key, folder) => of(key).putFolder(key, folder),
    addFolder: async (key, folder, last) => of(key).addFolder(key, folder, last),
    remove: async (key, when) => of(key).remove(key, when),
    removeFolder: async (key, when) => of(key).removeFolder(key, when),
    below: (key) => of(key).below(key),
    list: (prefix) => stores[prefix].list(prefix),
    async probe() {
      await Promise.all([...new Set(Object.values(stores))].map((it) => it.probe()))
    },
  }
}
