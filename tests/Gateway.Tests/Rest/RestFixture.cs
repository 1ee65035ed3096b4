namespace Gateway.Tests.Rest;

/// <summary>One gateway for all tests of the resource API: each works on nodes of its own.</summary>
[CollectionDefinition(Name)]
public sealed class RestFixture : IAsyncLifetime, ICollectionFixture<RestFixture>
{
    public const string Name = "rest";

    internal RestGateway Gateway { get; private set; } = null!;

    public async Task InitializeAsync() => Gateway = await RestGateway.StartAsync();

    public async Task DisposeAsync() => await Gateway.DisposeAsync();
}
