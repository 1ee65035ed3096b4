using System.Net.WebSockets;
using System.Text;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Sockets;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Rest.Tests.Sockets;

/// <summary>Messages of a peer that is memory.</summary>
public sealed class SocketConnectionTests
{
    private const int Messages = 1000;

    /// <summary>Without optimization the compiler makes classes of the state machines of asynchronous methods. There
    /// may be a few bytes of others.</summary>
#if DEBUG
    private const int MostBytes = 300 * Messages;
#else
    private const int MostBytes = 5 * Messages;
#endif

    private static readonly RestLimits Limits = new() { MaxHttpWebSocketLoginBytes = 1024 * 1024 };

    private static readonly Caller Anna = new(
        new UserIdentity("anna", "anna", Roles.Observer, UserKind.UserName), CallerDoor.Http, MessageSecurityMode.None,
        isTrustedApplication: false, hasSession: false);

    private readonly BodyReader _bodies = new(Limits, TimeProvider.System);

    [Fact]
    public async Task Receive_SmallMessages_NoMemoryIsHeldAndNoneIsAllocated()
    {
        using var connection = Make("""{"op":"ping"}""");
        for (var i = 0; i < 100; i++)
            await ReceiveAsync(connection);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Messages; i++)
        {
            var receive = connection.ReceiveAsync();
            Assert.True(receive.IsCompletedSuccessfully);
            if (await receive != SocketInput.Text)
                Assert.Fail("no message");
            connection.Forget();
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MostBytes);
        Assert.Equal(0, _bodies.HeldBytes);
    }

    /// <summary>R04: the number of WebSockets bounds them.</summary>
    [Fact]
    public async Task Receive_SmallMessage_IsNotCounted()
    {
        using var connection = Make(new string('x', 4_000));

        Assert.Equal(SocketInput.Text, await connection.ReceiveAsync());

        Assert.Equal(4_000, connection.Message.Length);
        Assert.Equal(0, _bodies.HeldBytes);
    }

    [Fact]
    public async Task Receive_LargeMessage_IsCountedUntilItIsServed()
    {
        using var connection = Make(new string('x', 300_000));

        Assert.Equal(SocketInput.Text, await connection.ReceiveAsync());

        Assert.Equal(300_000, connection.Message.Length);
        Assert.InRange(_bodies.HeldBytes, 300_000, 1_000_000);
        connection.Forget();
        Assert.Equal(0, _bodies.HeldBytes);
    }

    [Fact]
    public async Task Send_ManySmallMessages_NothingIsAllocated()
    {
        using var connection = Make("x");
        var text = Encoding.ASCII.GetBytes(new string('x', 1000));
        for (var i = 0; i < 100; i++)
            await connection.SendAsync(text);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Messages; i++)
        {
            var send = connection.SendAsync(text);
            Assert.True(send.IsCompletedSuccessfully);
            await send;
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MostBytes);
    }

    /// <summary>The server gives the context to another request then.</summary>
    [Fact]
    public async Task Look_BehindTheEnd_LeavesTheContextAlone()
    {
        var lifetime = new Lifetime();
        using var connection = Make("x", new MemoryStream(), lifetime);
        await connection.EndAsync(SocketEnd.Idle);
        await connection.FinishAsync();
        var aborts = lifetime.Aborts;

        connection.Look(TimeProvider.System.GetTimestamp() + (3600 * TimeProvider.System.TimestampFrequency));

        Assert.Equal(aborts, lifetime.Aborts);
    }

    /// <summary>A Publish may be held for long, whatever comes and goes beside it.</summary>
    [Fact]
    public void Look_OneOfTwoAnswersIsLeft_StaysOpen()
    {
        var time = new ManualTimeProvider();
        using var connection = Make("x", time: time);
        connection.Caller = Anna;
        connection.BeginAnswer();
        connection.BeginAnswer();
        connection.EndAnswer();

        time.Advance(2 * Limits.HttpWebSocketIdleTime);
        connection.Look(time.GetTimestamp());

        Assert.Equal(SocketEnd.None, connection.Ending);
        Assert.True(connection.IsAwaited);
    }

    /// <summary>The next request of a client that waited longer than the idle time is on its way.</summary>
    [Fact]
    public void Look_RightBehindALateAnswer_StaysOpenForTheIdleTime()
    {
        var time = new ManualTimeProvider();
        using var connection = Make("x", time: time);
        connection.Caller = Anna;
        connection.BeginAnswer();
        time.Advance(2 * Limits.HttpWebSocketIdleTime);
        connection.EndAnswer();

        connection.Look(time.GetTimestamp());
        var first = connection.Ending;
        time.Advance(2 * Limits.HttpWebSocketIdleTime);
        connection.Look(time.GetTimestamp());

        Assert.Equal((SocketEnd.None, SocketEnd.Idle), (first, connection.Ending));
    }

    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        public int Aborts { get; private set; }

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => Aborts++;
    }

    private SocketConnection Make(
        string text, Stream? stream = null, Lifetime? lifetime = null, TimeProvider? time = null)
    {
        var transport = new TransportLimits();
        time ??= TimeProvider.System;
        var parts = new SocketParts(
            Limits, new HttpLimits(), transport, _bodies, new AnswerSender(Limits, transport, time), time,
            NullLogger<SocketParts>.Instance);
        var socket = WebSocket.CreateFromStream(
            stream ?? new EndlessFrames(Encoding.ASCII.GetBytes(text)),
            new WebSocketCreationOptions { IsServer = true });
        var context = new DefaultHttpContext();
        if (lifetime is not null)
            context.Features.Set<IHttpRequestLifetimeFeature>(lifetime);
        return new SocketConnection(context, socket, parts);
    }

    private static async Task ReceiveAsync(SocketConnection connection)
    {
        Assert.Equal(SocketInput.Text, await connection.ReceiveAsync());
        connection.Forget();
    }
}
