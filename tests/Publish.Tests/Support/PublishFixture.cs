using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Support;

/// <summary>An engine on time that stands still, with Double variables <c>ns=1;i=1</c> … and nobody running its loops
/// but <see cref="Advance"/>.</summary>
internal sealed class PublishFixture : IAsyncDisposable
{
    public PublishFixture(
        int tags = 10, PublishLimits? limits = null, int shards = 1, ILogger<PublishEngine>? logger = null)
    {
        Nodes.Namespaces.GetOrAdd("urn:test");
        var batch = new NodeBatch();
        for (var i = 1; i <= tags; i++)
        {
            var name = new QualifiedName($"Tag{i}", 1);
            batch.AddVariable(new NodeId((uint)i, 1), name, new(new NodeId(11)), null, default);
        }

        Nodes.Apply(batch);
        Store = new ValueStore(Time);
        var chosen = limits ?? PublishLimits.Default;
        Engine = new PublishEngine(
            Nodes, Store, chosen with { PublishShards = shards }, new PlantLateness(), Time,
            logger ?? NullLogger<PublishEngine>.Instance);
    }

    public ManualTimeProvider Time { get; } = new();

    public NodeTable Nodes { get; } = new();

    public ValueStore Store { get; }

    public PublishEngine Engine { get; }

    public TestClient OpenClient(SessionOwner? owner = null)
    {
        var client = new TestClient();
        client.Session = Engine.OpenSession(client, client, owner ?? SessionOwner.Unknown);
        return client;
    }

    public NodeHandle Handle(uint node) => Nodes.Find(new NodeId(node, 1));

    public void Set(uint node, double value, StatusCode status = default) =>
        Store.Set(Handle(node), new DataValue(new Variant(value), status, Time.GetUtcNow().UtcDateTime));

    /// <summary>Moves time and turns the shards' loops whenever they asked for it.</summary>
    public void Advance(double milliseconds)
    {
        var end = Time.Elapsed + TimeSpan.FromMilliseconds(milliseconds);
        Turn();
        while (Time.Elapsed < end)
        {
            var step = Math.Clamp(Turn(), 1, (end - Time.Elapsed).Ticks);
            Time.Advance(TimeSpan.FromTicks(step));
        }

        Turn();
    }

    public ValueTask DisposeAsync() => Engine.DisposeAsync();

    private long Turn()
    {
        var next = long.MaxValue;
        foreach (var shard in Engine.Shards)
            next = Math.Min(next, shard.RunOnce());
        return next;
    }
}
