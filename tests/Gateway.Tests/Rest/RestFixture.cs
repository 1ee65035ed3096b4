namespace Gateway.Tests.Rest;

/// <summary>One gateway for all tests of the resource API: each works on nodes of its own.</summary>
[CollectionDefinition(Name)]
public sealed class RestFixture : IAsyncLifetime, ICollectionFixture<RestFixture>
{
    public const string Name = "rest";

    internal RestGateway Gateway { get; private set; } = null!;

    /// <summary>A test leaves a stream unread, on a machine that may be slow.</summary>
    public async Task InitializeAsync() =>
        Gateway = await RestGateway.StartAsync("--Limits:WriteDeadline=00:05:00");

    public async Task DisposeAsync() => await Gateway.DisposeAsync();
}
