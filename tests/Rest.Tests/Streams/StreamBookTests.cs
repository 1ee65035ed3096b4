using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Publish.Items;
using Gateway.Publish.Streams;
using Gateway.Rest.Answers;
using Gateway.Rest.Budgets;
using Gateway.Rest.Streams;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Rest.Tests.Streams;

/// <summary>The work of the book, once a second.</summary>
public sealed class StreamBookTests : IAsyncLifetime, IAsyncDisposable, IItemAccess
{
    private static readonly Caller User = new(
        new UserIdentity("UserName:alice", "alice", Roles.Observer, UserKind.UserName), CallerDoor.Http,
        MessageSecurityMode.SignAndEncrypt, isTrustedApplication: false, hasSession: false);

    private readonly ManualTimeProvider _time = new();
    private readonly PublishEngine _publishing;
    private readonly EncodedValues _encoded;
    private readonly ValueStore _values;
    private readonly StreamBook _book;
    private StatusCode _refresh;
    private int _refreshes;

    public StreamBookTests()
    {
        var nodes = new NodeTable();
        _values = new ValueStore(_time);
        _publishing = new PublishEngine(
            nodes, _values, PublishLimits.Default, new PlantLateness(), _time, NullLogger<PublishEngine>.Instance);
        var limits = new RestLimits { HttpStreamResumeTime = TimeSpan.FromSeconds(30) };
        _encoded = new EncodedValues(new RestFormat(nodes, new TableStructures(nodes)), limits);
        _book = new StreamBook(limits, _encoded, _time, NullLogger<StreamBook>.Instance);
    }

    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCode.Good;

    public Task InitializeAsync() => Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        _book.Dispose();
        await _publishing.DisposeAsync();
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Sweep_NobodyCameBack_EndsTheStreamAfterItsTime()
    {
        var (stream, connection) = Add();
        _time.Advance(60_000);
        Assert.Equal(1, _book.Count);
        stream.Leave(connection, hadPlace: false, _time.GetTimestamp());
        _time.Advance(29_000);
        Assert.Equal(1, _book.Count);
        _time.Advance(1_000);
        Assert.Equal((0, 0), (_book.Count, _publishing.Counters.Streams));
        Assert.Null(stream.TryEnter(CancellationToken.None));
    }

    /// <summary>Its user is gone, or the gateway has closed it: nobody can have it again.</summary>
    [Fact]
    public void Sweep_ParkedAndClosed_EndsAtOnce()
    {
        var (stream, connection) = Add();
        stream.Leave(connection, hadPlace: false, _time.GetTimestamp());
        stream.Values.Close(StatusCodes.BadUserAccessDenied);
        _time.Advance(1_000);
        Assert.Equal(0, _book.Count);
    }

    [Fact]
    public void Sweep_RefreshWaits_BeginsOnceItsPauseIsOver()
    {
        var (stream, _) = Add(hasAlarms: true);
        stream.Refreshes!.Demand();
        stream.Refreshes.Demand();
        Assert.Equal(1, _refreshes);
        _time.Advance(1_000);
        Assert.Equal(2, _refreshes);
        _time.Advance(60_000);
        Assert.Equal(2, _refreshes);
        Assert.Equal(StatusCode.Good, stream.Values.Status);
    }

    /// <summary>Its client comes back to a new one.</summary>
    [Fact]
    public void Sweep_RefreshIsNotPossibleAnyMore_ClosesTheStream()
    {
        var (stream, _) = Add(hasAlarms: true);
        var (other, _) = Add();
        stream.Refreshes!.Demand();
        stream.Refreshes.Demand();
        _refresh = StatusCodes.BadNothingToDo;
        _time.Advance(1_000);
        Assert.True(stream.Values.Batches.Completion.IsCompleted);
        Assert.Equal(StatusCodes.BadNothingToDo, stream.Values.Status.Code);
        Assert.Equal(StatusCode.Good, other.Values.Status);
    }

    [Fact]
    public void Sweep_LastStreamIsGone_TheTextsAreGivenBack()
    {
        var (stream, connection) = Add();
        var value = _values.Make(new DataValue(new Variant(7)));
        _encoded.TextOf(new StreamChange(0, value, NotificationBits.None, NotificationKind.DataChange));
        value.Release();
        _time.Advance(1_000);
        Assert.NotEqual(0, _encoded.HeldBytes);
        stream.Leave(connection, hadPlace: false, _time.GetTimestamp());
        _book.End(stream);
        _time.Advance(1_000);
        Assert.Equal(0, _encoded.HeldBytes);
    }

    private (LiveStream Stream, CancellationTokenSource Connection) Add(bool hasAlarms = false)
    {
        var values = _publishing.OpenStream(this, SessionOwner.Unknown, new StreamOptions(), out _)!;
        var stream = new LiveStream(User, values, 1000, [], [], new EventHistory(0, 0))
        {
            Memory = new Holding(_book.Memory, System.Net.IPAddress.Loopback),
            Refreshes = hasAlarms ? new RefreshPace(Refresh, _time) : null,
        };
        var connection = stream.TryEnter(CancellationToken.None)!;
        Assert.Equal(RefusalReason.None, _book.Add(stream));
        return (stream, connection);
    }

    private StatusCode Refresh()
    {
        _refreshes++;
        return _refresh;
    }
}
