using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Publish.Streams;
using Gateway.Server.Tests.Support;
using Gateway.Testing;
using static Gateway.Codec.Types.StandardIds.Objects;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Tests.Streams;

/// <summary>A stream's items have the rights of its caller, and count for its user.</summary>
public sealed class OpenStreamTests : IDisposable
{
    private const PermissionType Reads = PermissionType.Browse | PermissionType.Read;

    private static readonly UserIdentity Observer = User("observer", Roles.Observer);

    private readonly ServerFixture _fixture = new(publish: new PublishLimits { MaxSubscriptionsPerUser = 2 });

    public OpenStreamTests() => _fixture.Publishing.Start();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task OpenStream_ItemsOfTheCallersRights_AreCheckedWhenTheyChange()
    {
        _fixture.SetRights(TestPlant.Text, null, (WellKnownRole_Engineer, Reads));
        using var stream = Open(Observer);
        Assert.Equal(StatusCode.Good, stream.Add([Item(TestPlant.Int32, 1), Item(TestPlant.Text, 2)], out var results));
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadNodeIdUnknown], results.Select(result => result.StatusCode.Code));
        Assert.Equal([(1u, StatusCodes.Good)], await ReadAsync(stream));

        _fixture.SetRights(TestPlant.Int32, null, (WellKnownRole_Engineer, Reads));
        Assert.Equal([(1u, StatusCodes.BadNodeIdUnknown)], await ReadAsync(stream));
    }

    [Fact]
    public async Task ChangeStreamUser_SameUserWithoutRoles_ReportsTheRefusalAndAnotherClosesIt()
    {
        using var stream = Open(Observer);
        stream.Add([Item(TestPlant.Int32, 1)], out _);
        Assert.Equal([(1u, StatusCodes.Good)], await ReadAsync(stream));

        var lesser = User("observer", Roles.None);
        Assert.Equal(StatusCode.Good, _fixture.Server.ChangeStreamUser(stream, CallerOf(lesser)));
        Assert.Equal([(1u, StatusCodes.BadUserAccessDenied)], await ReadAsync(stream));

        var other = User("operator", Roles.Operator);
        Assert.Equal(
            StatusCodes.BadIdentityChangeNotSupported,
            _fixture.Server.ChangeStreamUser(stream, CallerOf(other)));
        await stream.Batches.Completion;
    }

    [Fact]
    public async Task Diagnostics_StreamOpen_IsNoSubscription()
    {
        using var stream = Open(Observer);
        var client = await _fixture.ConnectAsync();
        var current = new NodeId(Server_ServerDiagnostics_ServerDiagnosticsSummary_CurrentSubscriptionCount);
        var read = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = current, AttributeId = (uint)AttributeId.Value }],
        });
        Assert.Equal(1, _fixture.Publishing.Counters.Streams);
        Assert.Equal(0u, Assert.Single(read.Results!).Value.AsUInt32());
    }

    [Fact]
    public async Task OpenStream_UserHasSubscriptionsElsewhere_TheyCountTogether()
    {
        var client = await _fixture.ConnectAsync("observer");
        await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest());
        using var stream = Open(Observer);
        Assert.Null(_fixture.Server.OpenStream(CallerOf(Observer), new StreamOptions(), out var status));
        Assert.Equal(StatusCodes.BadTooManySubscriptions, status.Code);
        using var others = Open(User("operator", Roles.Operator));
    }

    [Fact]
    public async Task CloseSessions_Streams_EndAndNoneIsOpenedAnyMore()
    {
        var stream = Open(Observer);
        _fixture.Server.BeginShutdown(TimeSpan.FromSeconds(5));
        Assert.Null(_fixture.Server.OpenStream(CallerOf(Observer), new StreamOptions(), out var status));
        Assert.Equal(StatusCodes.BadShutdown, status.Code);
        _fixture.Server.CloseSessions();
        await stream.Batches.Completion;
        Assert.Equal(StatusCodes.BadShutdown, stream.Status);
        Assert.Equal(0, _fixture.Publishing.Counters.Subscriptions);
    }

    private static UserIdentity User(string name, Roles roles) => new(name, name, roles, UserKind.UserName);

    private static Caller CallerOf(UserIdentity user) =>
        new(user, CallerDoor.Http, MessageSecurityMode.None, isTrustedApplication: false, hasSession: false)
        {
            Address = "192.0.2.7",
        };

    private static StreamItem Item(NodeId node, uint handle) => new() { Node = node, Handle = handle };

    private ValueStream Open(UserIdentity user)
    {
        var stream = _fixture.Server.OpenStream(
            CallerOf(user), new StreamOptions { IntervalMs = 100 }, out var status);
        Assert.Equal(StatusCode.Good, status);
        return stream!;
    }

    private async Task<(uint, uint)[]> ReadAsync(ValueStream stream)
    {
        _fixture.Time.Advance(200);
        using var batch = await stream.Batches.ReadAsync().AsTask().WaitAsync(Patience.Limit);
        return [.. batch.Changes.ToArray().Select(change => (change.Handle, change.Status.Code))];
    }
}
