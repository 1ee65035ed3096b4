using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>Metadata by datagrams: a subscriber that comes later has no other way to it.</summary>
public sealed class UdpOutputTests : IAsyncLifetime, IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly UdpClient _receiver = new(new IPEndPoint(IPAddress.Loopback, 0));
    private readonly GroupKeys _keys;
    private readonly UdpOutput _output;

    public UdpOutputTests()
    {
        _keys = new GroupKeys("none", _time, NullLoggerFactory.Instance);
        _output = new UdpOutput(
            new DatagramTarget(new("127.0.0.1", ((IPEndPoint)_receiver.Client.LocalEndPoint!).Port)),
            UadpPublisherId.Of("p"), new PubSubLimits(), _keys, _time, NullLogger.Instance);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _output.DisposeAsync();

    public void Dispose()
    {
        _receiver.Dispose();
        _keys.Dispose();
    }

    /// <summary>A reload: the group's successor begins before the old one is withdrawn.</summary>
    [Fact]
    public async Task Withdraw_AllWritersOfAGroupHaveOtherNames_TheNewOnesAreAnnounced()
    {
        var (before, after) = (Group("old"), Group("new"));
        _output.WriterOf(before, Description);
        _output.Start();
        Announce("old");
        Assert.Equal("old", await NextAsync());
        _output.WriterOf(after, Description);
        Announce("new");
        Assert.Equal("new", await NextAsync());

        _output.Withdraw(before, before.DataSetWriters);

        Announce("newer");
        Assert.Equal("newer", await NextAsync());
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal("newer", await NextAsync());
    }

    [Fact]
    public async Task Withdraw_TheGroupHasEnded_NothingIsAnnounced()
    {
        var (group, other) = (Group("w"), Group("w") with { Name = "other" });
        _output.WriterOf(group, Description);
        _output.WriterOf(other, Description with { Name = "other" });
        _output.Start();

        _output.Withdraw(group, group.DataSetWriters);

        Announce("w");
        _output.Announce(new Announcement(Description with { Name = "other" }, Writer("other"), ""));
        Assert.Equal("other", await NextAsync());
    }

    private static GroupDescription Description { get; } = new() { PublisherId = "p", Name = "g", WriterGroupId = 1 };

    private static WriterGroupOptions Group(string writer) => new()
    {
        Name = "g",
        WriterGroupId = 1,
        Encoding = "uadp",
        DataSetWriters = [new() { Name = writer, DataSetWriterId = 1, DataSet = "d" }],
    };

    private static WriterDescription Writer(string name) => new()
    {
        Name = name,
        DataSetWriterId = 1,
        MetaData = new DataSetMetaDataType { Name = name, Fields = [] },
    };

    private void Announce(string name) => _output.Announce(new Announcement(Description, Writer(name), ""));

    /// <summary>The name in the metadata of the next datagram.</summary>
    private async Task<string?> NextAsync()
    {
        var datagram = await _receiver.ReceiveAsync().WaitAsync(Patience.Limit);
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions(), new Uadp.UadpDirectory(), null, TimeProvider.System);
        return reader.Read(datagram.Buffer).Announcement?.MetaData?.Name;
    }
}
