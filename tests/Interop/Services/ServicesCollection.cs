namespace Gateway.Interop.Services;

/// <summary>The classes that share the gateway of the case scripts.</summary>
[CollectionDefinition(nameof(ServicesCollection))]
public sealed class ServicesCollection : ICollectionFixture<ServicesFixture>;
