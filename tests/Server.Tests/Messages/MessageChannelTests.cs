using System.Collections.Concurrent;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Diagnostics;
using Gateway.Server.Messages;
using Gateway.Server.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Tests.Messages;

/// <summary>Services, sessions and subscriptions by messages without a connection, beside those of UA-TCP.</summary>
public sealed class MessageChannelTests
{
    private static ReadRequest ReadOf(NodeId node) => new()
    {
        NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value }],
    };

    [Fact]
    public async Task Read_WithoutASession_AnsweredAndNothingStays()
    {
        using var server = new ServerFixture();

        var answer = await new MessageClient(server).CallAsync<ReadResponse>(ReadOf(TestPlant.Int32));

        Assert.Equal(StatusCode.Good, answer.ResponseHeader.ServiceResult);
        Assert.Single(answer.Results!);
        Assert.Equal(0, server.Server.SessionCount);
    }

    /// <summary>The caller's rights, as for a session (R36).</summary>
    [Fact]
    public async Task Read_NodeHiddenFromTheUser_AsOneThatIsNotThere()
    {
        using var server = new ServerFixture();
        server.SetRights(
            TestPlant.Int32, null,
            (StandardIds.Objects.WellKnownRole_Engineer, PermissionType.Browse | PermissionType.Read));

        var hidden = await new MessageClient(server).CallAsync<ReadResponse>(ReadOf(TestPlant.Int32));
        var shown = await new MessageClient(server, "engineer").CallAsync<ReadResponse>(ReadOf(TestPlant.Int32));

        Assert.Equal(StatusCodes.BadNodeIdUnknown, hidden.Results![0].Status.Code);
        Assert.False(shown.Results![0].Status.IsBad);
    }

    /// <summary>Part 3 §8.56: SessionRequired.</summary>
    [Fact]
    public async Task Read_NodeThatRequiresASession_RefusedWithoutOne()
    {
        using var server = new ServerFixture();
        server.SetRights(TestPlant.Int32, AccessRestrictionType.SessionRequired);
        var session = await new MessageClient(server).OpenAsync();

        var without = await new MessageClient(server).CallAsync<ReadResponse>(ReadOf(TestPlant.Int32));
        var with = await session.CallAsync<ReadResponse>(ReadOf(TestPlant.Int32));

        Assert.True(without.Results![0].Status.IsBad);
        Assert.False(with.Results![0].Status.IsBad);
    }

    /// <summary>There was no memory for the copy, and the caller waited for ever, also when its client had gone (R37).
    /// </summary>
    [Fact]
    public async Task Send_ResponseCannotBeCopied_TheCallerIsTold()
    {
        using var server = new ServerFixture();
        var client = new MessageClient(server);
        var channel = client.Channel;
        server.Source.Hold();
        var read = channel.CallAsync(client.Encode(ReadOf(TestPlant.Slow)), default);
        using var response = new PooledBuffer([], length: 1, secret: false);

        ((IChannelLink)channel).Send(response, requestId: 1);

        using var answer = await read.WaitAsync(Patience.Limit);
        Assert.Equal(StatusCodes.BadOutOfMemory, answer.Status.CodeBits);
        Assert.True(answer.Message.IsEmpty);
        server.Source.Go();
    }

    [Fact]
    public async Task Read_OfASlowSource_GivenUpByTheClient_Ends()
    {
        using var server = new ServerFixture();
        using var gone = new CancellationTokenSource();
        server.Source.Hold();
        var read = new MessageClient(server).SendAsync(ReadOf(TestPlant.Slow), gone.Token);
        Assert.False(read.IsCompleted);

        await gone.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.True(server.Source.LastToken.IsCancellationRequested);
    }

    /// <summary>Also where it is just about to ask its source.</summary>
    [Fact]
    public async Task Read_WithoutASession_GivenUpByTheClient_AsksNothingAnyMore()
    {
        using var server = new ServerFixture();
        using var gone = new CancellationTokenSource();
        server.Source.Hold();
        var client = new MessageClient(server);
        var channel = client.Channel;
        var read = channel.CallAsync(client.Encode(ReadOf(TestPlant.Slow)), gone.Token);
        Assert.False(channel.State.Sessionless!.IsClosed);

        await gone.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
        Assert.True(channel.State.Sessionless.IsClosed);
    }

    [Fact]
    public async Task CreateSession_AtTheCap_CountsWithThoseOfUaTcp()
    {
        using var server = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxSessionsPerUser = 2 },
        });
        var client = await server.ConnectAsync("operator");
        await new MessageClient(server).OpenAsync();
        var third = new MessageClient(server);
        await third.CreateAsync();

        Assert.Equal(StatusCodes.BadTooManySessions, await third.FaultAsync(new ActivateSessionRequest()));
        client.Close();
    }

    /// <summary>R46: whether the client is still there, does not show.</summary>
    [Fact]
    public async Task CreateSession_AtTheCap_TakesThePlaceOfTheOneWhoseClientIsQuiet()
    {
        using var server = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxSessions = 2 },
        });
        server.Publishing.Start();
        var quiet = await new MessageClient(server, address: "127.0.0.2").OpenAsync();
        var waiting = await new MessageClient(server, address: "127.0.0.3").OpenAsync();
        await waiting.SubscribeAsync(TestPlant.NeverSet);
        var held = await HeldAsync(server, waiting);

        await new MessageClient(server, address: "127.0.0.4").OpenAsync();

        Assert.Equal(StatusCodes.BadSessionIdInvalid, await quiet.FaultAsync(ReadOf(TestPlant.Int32)));
        Assert.False(held.IsCompleted);
        Assert.Equal(2, server.Server.SessionCount);
    }

    /// <summary>R07: places that nobody activates are taken first, whichever door they came by.</summary>
    [Fact]
    public async Task CreateSession_AllPlacesNeverActivated_TheOldestGivesWay()
    {
        using var server = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxSessions = 2 },
        });
        var first = new MessageClient(server, address: "127.0.0.2");
        await first.CreateAsync();
        await new MessageClient(server, address: "127.0.0.3").CreateAsync();

        await new MessageClient(server, address: "127.0.0.4").OpenAsync();

        Assert.Equal(StatusCodes.BadSessionIdInvalid, await first.FaultAsync(new ActivateSessionRequest()));
        Assert.Equal(2, server.Server.SessionCount);
    }

    [Fact]
    public async Task Diagnostics_OfASession_SayHowItCame()
    {
        using var server = new ServerFixture();
        var admin = new MessageClient(server, "admin", mode: MessageSecurityMode.SignAndEncrypt);
        await admin.OpenAsync();

        var read = await admin.CallAsync<ReadResponse>(ReadOf(new NodeId(DiagnosticsNodes.SessionSecurity)));

        var one = Assert.Single(read.Results![0].Value.AsArray<ExtensionObject>()!);
        var security = Assert.IsType<SessionSecurityDiagnosticsDataType>(one.Body);
        Assert.Equal(("UA JSON", "https"), (security.Encoding, security.TransportProtocol));
        Assert.Equal("admin", security.ClientUserIdOfSession);
    }

    /// <summary>A session has the rights of the token that made it: one that gives others does not reach it (R16).
    /// </summary>
    [Fact]
    public async Task Session_SameUserWithOtherRoles_NotReached()
    {
        using var server = new ServerFixture();
        var before = await new MessageClient(server).OpenAsync();
        server.Users.Users["operator"] = Roles.Observer;
        var after = new MessageClient(server) { Token = before.Token };

        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await after.FaultAsync(ReadOf(TestPlant.Int32)));
        Assert.NotNull(await before.CallAsync<ReadResponse>(ReadOf(TestPlant.Int32)));
    }

    /// <summary>Each request over HTTP brings a token of its own: the first one's end is not the session's.</summary>
    [Fact]
    public async Task Session_TokenThatMadeItExpires_GoesOnWithTheUsersNextOne()
    {
        using var server = new ServerFixture();
        var first = await new MessageClient(server, validFor: TimeSpan.FromSeconds(10)).OpenAsync();
        server.Time.Advance(TimeSpan.FromSeconds(20));
        var next = new MessageClient(server, validFor: TimeSpan.FromSeconds(60)) { Token = first.Token };

        var write = await next.CallAsync<WriteResponse>(TestRequests.Write(2));

        Assert.Equal(StatusCode.Good, write.Results![1]);
    }

    /// <summary>Nothing else proves who sends a request. Source: Part 4 §7.36.</summary>
    [Fact]
    public async Task CreateSession_OverHttp_TokenOf32RandomBytes()
    {
        using var server = new ServerFixture();
        var first = await new MessageClient(server).OpenAsync();
        var second = await new MessageClient(server).CreateAsync();

        Assert.Equal(IdType.Opaque, first.Token.IdType);
        Assert.Equal(32, first.Token.Opaque!.Length);
        Assert.NotEqual(first.Token, second.AuthenticationToken);
        var half = first.Token.Opaque!.ToArray();
        half[31] ^= 1;
        first.Token = new NodeId(half, 0);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await first.FaultAsync(new ActivateSessionRequest()));
    }

    /// <summary>What was made under TLS is not for the taking without.</summary>
    [Fact]
    public async Task Session_MadeUnderTls_NotReachedWithout()
    {
        using var server = new ServerFixture();
        var secure = new MessageClient(server, mode: MessageSecurityMode.SignAndEncrypt);
        await secure.OpenAsync();
        var plain = new MessageClient(server) { Token = secure.Token };

        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await plain.FaultAsync(ReadOf(TestPlant.Int32)));
        Assert.True((await plain.FaultAsync(new ActivateSessionRequest())).IsBad);
    }

    [Fact]
    public async Task TransferSubscriptions_ToUaTcp_GoesOnThereAndIsTold()
    {
        using var server = new ServerFixture();
        var web = await new MessageClient(server).OpenAsync();
        var id = await web.SubscribeAsync(TestPlant.Int32);
        var client = await server.ConnectAsync("operator");

        var transferred = await client.CallAsync<TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [id], SendInitialValues = true });
        var told = await web.CallAsync<PublishResponse>(new PublishRequest());
        var modify = new ModifySubscriptionRequest { SubscriptionId = id, RequestedPublishingInterval = 100 };

        Assert.Equal(StatusCode.Good, transferred.Results![0].StatusCode);
        var change = Assert.IsType<StatusChangeNotification>(told.NotificationMessage.NotificationData![0].Body);
        Assert.Equal(StatusCodes.GoodSubscriptionTransferred, change.Status.Code);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, await web.FaultAsync(modify));
        Assert.NotNull(await client.CallAsync<ModifySubscriptionResponse>(modify));
    }

    /// <summary>Nobody answers a request by the way that the session has left.</summary>
    [Fact]
    public async Task ActivateSession_ByUaTcp_AnswersWhatIsHeld()
    {
        using var server = new ServerFixture();
        server.Publishing.Start();
        var web = await new MessageClient(server).OpenAsync();
        await web.SubscribeAsync(TestPlant.NeverSet);
        var held = await HeldAsync(server, web);

        var client = server.Connect();
        client.Token = web.Token;
        await client.ActivateAsync("operator");

        Assert.Equal(StatusCodes.BadSessionClosed, MessageClient.Read<PublishResponse>(await held).Status.Code);
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, await web.FaultAsync(new PublishRequest()));
    }

    [Fact]
    public async Task CloseSession_AnswersWhatIsHeldAndItself()
    {
        using var server = new ServerFixture();
        server.Publishing.Start();
        var web = await new MessageClient(server).OpenAsync();
        await web.SubscribeAsync(TestPlant.NeverSet);
        var held = await HeldAsync(server, web);

        var closed = await web.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });

        Assert.Equal(StatusCode.Good, closed.ResponseHeader.ServiceResult);
        Assert.Equal(StatusCodes.BadSessionClosed, MessageClient.Read<PublishResponse>(await held).Status.Code);
        Assert.Equal(0, server.Server.SessionCount);
    }

    [Fact]
    public async Task Publish_SessionTimesOut_Answered()
    {
        using var server = new ServerFixture();
        server.Publishing.Start();
        var web = await new MessageClient(server).OpenAsync();
        await web.SubscribeAsync(TestPlant.NeverSet);
        var held = await HeldAsync(server, web);

        server.Time.Advance(TimeSpan.FromSeconds(61));

        Assert.Equal(StatusCodes.BadSessionClosed, MessageClient.Read<PublishResponse>(await held).Status.Code);
    }

    /// <summary>A browser that reloads its page: the notification waits for the next Publish.</summary>
    [Fact]
    public async Task Publish_GivenUpByTheClient_LosesNothing()
    {
        using var server = new ServerFixture();
        using var gone = new CancellationTokenSource();
        server.Publishing.Start();
        var web = await new MessageClient(server).OpenAsync();
        await web.SubscribeAsync(TestPlant.Int32);
        var first = web.SendAsync(new PublishRequest());
        server.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1u, SequenceNumberOf(await first));
        var given = web.SendAsync(new PublishRequest(), gone.Token);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);

        await web.CallAsync<WriteResponse>(TestRequests.Write(2));
        var next = web.SendAsync(new PublishRequest());
        server.Time.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(2u, SequenceNumberOf(await next.WaitAsync(Patience.Limit)));
    }

    [Fact]
    public async Task Message_BehindOneThatGoesOn_WaitsForItsEnd()
    {
        using var server = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { RequestWorkers = 0 },
        });
        var web = await new MessageClient(server).OpenAsync();
        var large = web.SendAsync(TestRequests.Read(3_000));
        var small = web.SendAsync(ReadOf(TestPlant.Int32));
        Assert.False(large.IsCompleted || small.IsCompleted);

        while (server.Server.Work.RunOne())
        {
        }

        var answers = new[] { await large.WaitAsync(Patience.Limit), await small.WaitAsync(Patience.Limit) };
        Assert.Equal(
            [3_000, 1],
            answers.Select(static one => MessageClient.Read<ReadResponse>(one).Response!.Results!.Length));
    }

    /// <summary>R43: while a Publish is held, nothing of its message is.</summary>
    [Fact]
    public async Task Publish_Held_ItsMessageIsGone()
    {
        using var server = new ServerFixture();
        server.Publishing.Start();
        var web = await new MessageClient(server).OpenAsync();
        await web.SubscribeAsync(TestPlant.NeverSet);
        var first = web.SendAsync(new PublishRequest());
        server.Time.Advance(TimeSpan.FromSeconds(1));
        MessageClient.Read<PublishResponse>(await first);
        using var message = new PooledBuffer();
        var held = new ConcurrentQueue<long>();

        var publish = web.SendAsync(new PublishRequest(), message, held.Enqueue, padding: 10_000);

        Assert.False(publish.IsCompleted);
        Assert.Equal(0, message.CapacityBytes);
        Assert.InRange(held.First(), 10_000, long.MaxValue);
        Assert.Equal(0, held.Last());
    }

    /// <summary>R43: a message that waits for its turn, or for a worker, counts as long as it does.</summary>
    [Fact]
    public async Task Message_ThatWaits_CountsUntilItIsHandled()
    {
        using var server = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { RequestWorkers = 0 },
        });
        var web = await new MessageClient(server).OpenAsync();
        using var large = new PooledBuffer();
        using var small = new PooledBuffer();
        var (heldOfLarge, heldOfSmall) = (new ConcurrentQueue<long>(), new ConcurrentQueue<long>());

        var first = web.SendAsync(ReadOf(TestPlant.Int32), large, heldOfLarge.Enqueue, padding: 100_000);
        var second = web.SendAsync(ReadOf(TestPlant.Int32), small, heldOfSmall.Enqueue, padding: 10_000);

        // The one lies with the workers, the other waits for it.
        Assert.Equal(0, large.CapacityBytes);
        Assert.InRange(heldOfLarge.Last(), 100_000, long.MaxValue);
        Assert.Equal(small.CapacityBytes, heldOfSmall.Last());
        while (server.Server.Work.RunOne())
        {
        }

        MessageClient.Read<ReadResponse>(await first.WaitAsync(Patience.Limit));
        MessageClient.Read<ReadResponse>(await second.WaitAsync(Patience.Limit));
        Assert.Equal((0, 0), (heldOfLarge.Last(), heldOfSmall.Last()));
        Assert.Equal(0, small.CapacityBytes);
    }

    private static uint SequenceNumberOf(MessageAnswer answer) =>
        MessageClient.Read<PublishResponse>(answer).Response!.NotificationMessage.SequenceNumber;

    /// <summary>Held once the first message, which every subscription sends, has gone.</summary>
    private static async Task<Task<MessageAnswer>> HeldAsync(ServerFixture server, MessageClient web)
    {
        var first = web.SendAsync(new PublishRequest());
        server.Time.Advance(TimeSpan.FromSeconds(1));
        MessageClient.Read<PublishResponse>(await first);
        var held = web.SendAsync(new PublishRequest());
        Assert.False(held.IsCompleted);
        return held;
    }
}
