using System.Net;
using System.Net.Sockets;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Sockets;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Sockets;

public sealed class DoorTests
{
    [Fact]
    public async Task Connect_RoomInTheWindow_LetInWithAPass()
    {
        await using var house = new Gatehouse();
        using var peer = await house.ConnectAsync();
        Gatehouse.Await(() => house.LetIn.Count == 1, "nobody was let in");
        Assert.True(house.LetIn.TryPeek(out var link));

        Assert.Equal(peer.LocalEndPoint, link.RemoteEndPoint);
        Assert.Equal(house.EndPoint, link.LocalEndPoint);
        Assert.Equal("127.0.0.1", link.Pass.Address.Key);
        Assert.Equal(1, link.Pass.Address.Connections);
        Assert.Equal(1, house.Admission.Stages.Admitted(AdmissionStage.Connection));
        await link.DisposeAsync();
        Assert.Equal(0, link.Pass.Address.Connections);
        Assert.Equal(0, house.Context.Descriptors.Open);
    }

    /// <summary>No memory, or a fault of ours: Kestrel's loop would end with the first one, and let nobody in again.
    /// </summary>
    [Fact]
    public async Task Connect_CannotBeHandedOver_IsClosedAndTheNextComesIn()
    {
        using var loop = new EventLoop(0);
        var context = TestTransport.Make(null, new ManualTimeProvider());
        await using var listener = new SocketListener(
            new IPEndPoint(IPAddress.Loopback, 0), [null!, loop], context, KernelAcceptor.Open);
        var accepting = listener.AcceptAsync().AsTask();

        using var first = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await first.ConnectAsync(listener.EndPoint);
        Assert.Equal(0, await first.ReceiveAsync(new byte[1]).WaitAsync(Patience.Limit));
        using var second = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await second.ConnectAsync(listener.EndPoint);

        await using var link = await accepting.WaitAsync(Patience.Limit);
        Assert.Equal(second.LocalEndPoint, link!.RemoteEndPoint);
        Assert.Equal(1, context.Counters.FaultsContained);
    }

    [Fact]
    public async Task Connect_WindowFull_WaitsUntilAPlaceIsFree()
    {
        await using var house = new Gatehouse();
        house.Time.Advance(1);
        var inside = await house.FillAsync();
        using var waiting = await house.WaitAsync(1);
        Assert.True(house.LetIn.TryDequeue(out var first));
        await first.DisposeAsync();
        Gatehouse.Await(() => house.LetIn.Count == inside.Count, "nobody was let in");

        Assert.Equal(waiting.LocalEndPoint, house.LetIn.Last().RemoteEndPoint);
        Assert.NotEqual(0, house.LetIn.Last().WaitedSince);
        Assert.Equal(0, house.Admission.Door.Waiting);
        inside.ForEach(peer => peer.Dispose());
    }

    [Fact]
    public async Task Connect_ManyWait_LetInInTheOrderOfTheirComing()
    {
        const int Many = 1000;
        await using var house = new Gatehouse();
        var inside = await house.FillAsync();
        var waiting = new List<Socket>();
        for (var i = 1; i <= Many; i++)
            waiting.Add(await house.WaitAsync(i));
        for (var i = 0; i < Many; i++)
        {
            Assert.True(house.LetIn.TryDequeue(out var first));
            await first.DisposeAsync();
            Gatehouse.Await(() => house.LetIn.Count == inside.Count, "nobody was let in");
        }

        var expected = inside.Concat(waiting).TakeLast(inside.Count).Select(peer => peer.LocalEndPoint!.ToString());
        Assert.Equal(expected, house.LetIn.Select(link => link.RemoteEndPoint!.ToString()));
        inside.Concat(waiting).ToList().ForEach(peer => peer.Dispose());
    }

    [Fact]
    public async Task HangUp_WhileWaiting_LeavesNothing()
    {
        await using var house = new Gatehouse();
        var inside = await house.FillAsync();
        var closed = await house.WaitAsync(1);
        await closed.SendAsync(Wire.Hello());
        closed.Dispose();
        Gatehouse.Await(() => house.Admission.Door.Waiting == 0, "it waits on");
        var reset = await house.WaitAsync(1);
        reset.LingerState = new LingerOption(true, 0);
        reset.Close();
        Gatehouse.Await(() => house.Admission.Door.Waiting == 0, "it waits on");

        house.AwaitNothingLeft();
        Assert.Equal(2, house.Admission.Stages.Shedded(AdmissionStage.Connection, RefusalReason.GaveUp));
        inside.ForEach(peer => peer.Dispose());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Wait_LongerThanItsPatience_ToldWhenToComeBack(bool hasSaidHello)
    {
        await using var house = new Gatehouse();
        var inside = await house.FillAsync();
        // Places that silent peers lose would let it in.
        foreach (var link in house.LetIn)
            link.Pass.OpenArrived();
        using var waiting = await house.WaitAsync(1);
        if (hasSaidHello)
            await waiting.SendAsync(Wire.Hello());
        house.Time.Advance(house.Admission.Limits.DoorPatience + TimeSpan.FromMilliseconds(1));
        var (status, reason) = await Gatehouse.ReadErrorAsync(waiting);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, status);
        Assert.StartsWith("RetryAfterMs=", reason, StringComparison.Ordinal);
        Assert.Equal(1, house.Admission.Stages.Shedded(AdmissionStage.Connection, RefusalReason.WaitedTooLong));
        // A HEL that comes behind the ERR meets a socket, not a reset.
        if (!hasSaidHello)
            await waiting.SendAsync(Wire.Hello());
        house.AwaitNothingLeft();
        Assert.Equal(0, await waiting.ReceiveAsync(new byte[1]).WaitAsync(Patience.Limit));
        inside.ForEach(peer => peer.Dispose());
    }

    [Fact]
    public async Task Connect_OverTheCapOfItsAddress_HeldThenTold()
    {
        await using var house = new Gatehouse(new AdmissionLimits { MaxConnectionsPerAddress = 1 });
        using var first = await house.ConnectAsync();
        Gatehouse.Await(() => house.LetIn.Count == 1, "nobody was let in");
        using var second = await house.ConnectAsync();
        await second.SendAsync(Wire.Hello());
        var error = Gatehouse.ReadErrorAsync(second);
        Gatehouse.Await(() => house.Context.Descriptors.Open == 2, "it is not held");
        Assert.False(error.IsCompleted);
        house.Time.Advance(house.Context.Limits.RefusalHoldTime);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await error).Status);
        house.AwaitNothingLeft();
        Assert.Equal(
            1, house.Admission.Stages.Shedded(AdmissionStage.Connection, RefusalReason.MaxConnectionsPerAddress));
    }

    [Fact]
    public async Task Connect_MoreRefusedThanAreHeld_ToldAtOnce()
    {
        await using var house = new Gatehouse(
            new AdmissionLimits { MaxConnectionsPerAddress = 1 }, new TransportLimits { MaxHeldRefusals = 1 });
        using var first = await house.ConnectAsync();
        Gatehouse.Await(() => house.LetIn.Count == 1, "nobody was let in");
        using var held = await house.ConnectAsync();
        Gatehouse.Await(() => house.Context.Descriptors.Open == 2, "it is not held");
        using var told = await house.ConnectAsync();

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await Gatehouse.ReadErrorAsync(told)).Status);
        Assert.Equal(0, held.Available);
    }

    [Fact]
    public async Task Connect_AsManyWaitAsMay_QueueFull()
    {
        await using var house = new Gatehouse(new AdmissionLimits { MaxWaitingConnections = 1 });
        var inside = await house.FillAsync();
        using var waiting = await house.WaitAsync(1);
        using var refused = await house.ConnectAsync();
        Gatehouse.Await(
            () => house.Admission.Stages.Shedded(AdmissionStage.Connection, RefusalReason.QueueFull) == 1,
            "it is not refused");
        house.Time.Advance(house.Context.Limits.RefusalHoldTime);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await Gatehouse.ReadErrorAsync(refused)).Status);
        inside.ForEach(peer => peer.Dispose());
    }

    [Fact]
    public async Task Close_WhileSomeWait_ShutdownIsSaid()
    {
        await using var house = new Gatehouse();
        var inside = await house.FillAsync();
        using var waiting = await house.WaitAsync(1);
        await waiting.SendAsync(Wire.Hello());
        house.Admission.Door.Close();

        Assert.Equal(StatusCodes.BadShutdown, (await Gatehouse.ReadErrorAsync(waiting)).Status);
        house.AwaitNothingLeft();
        inside.ForEach(peer => peer.Dispose());
    }

    [Fact]
    public async Task UnbindAsync_WhileSomeWait_ShutdownIsSaid()
    {
        await using var house = new Gatehouse();
        var inside = await house.FillAsync();
        using var waiting = await house.WaitAsync(1);
        await house.UnbindAsync();

        Assert.Equal(StatusCodes.BadShutdown, (await Gatehouse.ReadErrorAsync(waiting)).Status);
        house.AwaitNothingLeft();
        inside.ForEach(peer => peer.Dispose());
    }
}
