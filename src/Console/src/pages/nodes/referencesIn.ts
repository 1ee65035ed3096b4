export interface Reference {
  isForward: boolean;
  type: string;
  node: string;
  name: string;
}

interface Description {
  ReferenceTypeId?: string;
  IsForward?: boolean;
  NodeId?: string;
  BrowseName?: string;
  DisplayName?: { Text?: string };
}

/** The common types by their names; others by their ids. Source: Part 5. */
const TYPES: Record<string, string> = {
  "i=35": "Organizes",
  "i=37": "HasModellingRule",
  "i=38": "HasEncoding",
  "i=39": "HasDescription",
  "i=40": "HasTypeDefinition",
  "i=41": "GeneratesEvent",
  "i=45": "HasSubtype",
  "i=46": "HasProperty",
  "i=47": "HasComponent",
  "i=48": "HasNotifier",
  "i=49": "HasOrderedComponent",
};

/** The references in the answer of Browse, in the Compact encoding: what has its default is left out. */
export function referencesIn(answer: unknown): Reference[] {
  const results = (answer as { Results?: { References?: Description[] }[] }).Results ?? [];
  return (results[0]?.References ?? []).map((one) => ({
    isForward: one.IsForward ?? false,
    type: TYPES[one.ReferenceTypeId ?? ""] ?? one.ReferenceTypeId ?? "",
    node: one.NodeId ?? "",
    name: one.DisplayName?.Text ?? one.BrowseName ?? "",
  }));
}
