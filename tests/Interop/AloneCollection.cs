namespace Gateway.Interop;

/// <summary>Classes in which a third party's server or client counts each change: one that finds no processor for a
/// while misses some by itself. They run one after the other when all others have ended.</summary>
[CollectionDefinition(nameof(AloneCollection), DisableParallelization = true)]
public sealed class AloneCollection;
