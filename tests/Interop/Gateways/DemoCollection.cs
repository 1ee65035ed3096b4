namespace Gateway.Interop.Gateways;

/// <summary>The classes that share one running demo gateway.</summary>
[CollectionDefinition(nameof(DemoCollection))]
public sealed class DemoCollection : ICollectionFixture<DemoGatewayFixture>;
