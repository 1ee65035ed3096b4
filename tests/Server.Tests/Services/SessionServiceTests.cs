using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

public sealed class SessionServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task CloseSession_Active_EndsIt()
    {
        var client = await _fixture.ConnectAsync();
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(new ReadRequest()));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(new CloseSessionRequest()));
        Assert.False(client.Link.HasActiveSession);
        Assert.Equal(0, _fixture.Server.SessionCount);
        Assert.Equal(0, _fixture.Server.Counters.ActivatedSessions);
    }

    [Fact]
    public async Task CloseSession_NotActivated_EndsIt()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CloseSession_FromAnotherChannel_BadSecureChannelIdInvalid()
    {
        var client = await _fixture.ConnectAsync();
        var other = _fixture.Connect();
        other.TakeOver(client);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await other.FaultAsync(new CloseSessionRequest()));
        Assert.Equal(1, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task CloseSession_HeldPublish_AnsweredBadSessionClosed()
    {
        var client = await _fixture.ConnectAsync();
        await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            PublishingEnabled = true,
        });
        var publish = client.Send(new PublishRequest());
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
        Assert.Equal(StatusCodes.BadSessionClosed, await client.FaultAsync(publish));
    }

    [Fact]
    public async Task AnyService_BeforeActivation_ClosesTheSession()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadSessionNotActivated, await client.FaultAsync(new ReadRequest()));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(client.NewActivation()));
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task AnyService_StolenTokenOnAnotherChannel_BadSecureChannelIdInvalid()
    {
        var client = await _fixture.ConnectAsync();
        var thief = _fixture.Connect();
        thief.TakeOver(client);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await thief.FaultAsync(new ReadRequest()));
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new ReadRequest()));
    }

    [Fact]
    public async Task Session_Idle_TimesOutAtItsTimeout()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Time.Advance(TimeSpan.FromSeconds(59));
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new ReadRequest()));
        _fixture.Time.Advance(TimeSpan.FromSeconds(59.8));
        Assert.Equal(1, _fixture.Server.SessionCount);
        _fixture.Time.Advance(TimeSpan.FromSeconds(0.5));
        Assert.Equal(0, _fixture.Server.SessionCount);
        Assert.Equal(1, _fixture.Server.Counters.SessionsTimedOut);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(new ReadRequest()));
    }

    [Fact]
    public async Task Session_NeverActivated_EndsAtTheActivationTimeout()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        _fixture.Time.Advance(_fixture.Options.Limits.ActivationTimeout + TimeSpan.FromSeconds(0.3));
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Theory]
    [InlineData(3600)]
    [InlineData(-3600)]
    [InlineData(10 * 365 * 86400.0)]
    [InlineData(-10 * 365 * 86400.0)]
    public async Task Session_WallClockJumps_NothingExpires(double seconds)
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Time.MoveWallClock(TimeSpan.FromSeconds(seconds));
        _fixture.Time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new ReadRequest()));
        _fixture.Time.Advance(TimeSpan.FromSeconds(60.3));
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task ChannelClosed_Unactivated_EndsAtOnce()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        client.Close();
        Assert.Equal(0, _fixture.Server.SessionCount);
    }

    [Fact]
    public async Task ChannelClosed_Active_WaitsForItsClient()
    {
        var client = await _fixture.ConnectAsync();
        client.Close(StatusCodes.BadConnectionClosed);
        Assert.Equal(1, _fixture.Server.SessionCount);
        var back = _fixture.Connect();
        back.TakeOver(client);
        await back.ActivateAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await back.FaultAsync(new ReadRequest()));
    }

    [Fact]
    public async Task Cancel_WaitingRead_AnsweredOnceAndCounted()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var read = client.Send(SlowRead(), requestHandle: 77);
        Assert.False(client.Link.IsAnswered(read));

        var none = await client.CallAsync<CancelResponse>(new CancelRequest { RequestHandle = 78 });
        Assert.Equal(0u, none.CancelCount);
        var one = await client.CallAsync<CancelResponse>(new CancelRequest { RequestHandle = 77 });
        Assert.Equal(1u, one.CancelCount);
        Assert.Equal(StatusCodes.BadRequestCancelledByClient, await client.FaultAsync(read));
        Assert.True(_fixture.Source.LastToken.IsCancellationRequested);
    }

    [Fact]
    public async Task Cancel_HeldPublish_Counted()
    {
        var client = await _fixture.ConnectAsync();
        await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1000, PublishingEnabled = true });
        var publish = client.Send(new PublishRequest(), requestHandle: 5);
        var cancelled = await client.CallAsync<CancelResponse>(new CancelRequest { RequestHandle = 5 });
        Assert.Equal(1u, cancelled.CancelCount);
        Assert.Equal(StatusCodes.BadRequestCancelledByClient, await client.FaultAsync(publish));
    }

    private static ReadRequest SlowRead() => new()
    {
        NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
    };
}
