using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Tests.DataSets;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A store for messages of any size that the limit allows.</summary>
public sealed class OutputFactoryTests : IDisposable
{
    private const int LargeMessages = 8 << 20;

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly GroupKeys _keys = new("none", TimeProvider.System, NullLoggerFactory.Instance);

    public void Dispose()
    {
        _keys.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Make_LargeMessages_StoreHasRoomForSeveral()
    {
        await using var output = Make(1L << 30);

        Assert.Equal(1L << 30, output.Describe(Report, explainsGaps: false).Store!.MaxBytes);
    }

    /// <summary>Its groups may come later.</summary>
    [Fact]
    public async Task Make_ConnectionWithoutAGroup_IsThere()
    {
        await using var output = Make(1L << 30);

        Assert.False(output.IsStarted);
    }

    [Fact]
    public void Make_StoreTooSmallForTheMessages_SaysWhichKey()
    {
        var error = Assert.Throws<InvalidOperationException>(() => Make(16 << 20));

        Assert.StartsWith("PubSub:Connections:0:StoreMaxBytes: 16777216 is below ", error.Message,
            StringComparison.Ordinal);
        Assert.Contains("MaxPubSubMessageBytes", error.Message, StringComparison.Ordinal);
    }

    private static States.ConnectionReport Report { get; } =
        new("c", "", Codec.Structures.PubSubState.Operational, "", [], 0, null, []);

    private IConnectionOutput Make(long storeBytes)
    {
        var plant = new Plant();
        var factory = new OutputFactory(
            new PublisherFacts("p", "urn:p", "p"), new PubSubLimits { MaxPubSubMessageBytes = LargeMessages },
            plant.Nodes, new TableStructures(plant.Nodes), _keys, TimeProvider.System, NullLoggerFactory.Instance,
            static (_, _, _) => throw new SocketException((int)SocketError.TooManyOpenSockets));
        return factory.Make(
            new ConnectionOptions
            {
                Name = "c",
                Address = "mqtt://127.0.0.1:1",
                StorePath = _folder,
                StoreMaxBytes = storeBytes,
            }, [], "PubSub:Connections:0");
    }
}
