using System.Net.Sockets;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Tests.Http;

public sealed class HttpSocketListenerTests
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(500);

    private static long Shed(HttpHouse house, RefusalReason reason) =>
        house.Admission.Stages.Shedded(AdmissionStage.HttpConnection, reason);

    private static async Task<Socket> EnterAsync(HttpHouse house, string from = "127.0.0.1")
    {
        var before = house.LetIn.Count;
        var peer = await house.ConnectAsync(from);
        HttpHouse.Await(() => house.LetIn.Count > before, "not let in");
        return peer;
    }

    /// <summary>However many come, descriptors stay within the share: those that make room are closed.</summary>
    [Fact]
    public async Task Accept_IdleFlood_DescriptorsStayWithinTheShare()
    {
        await using var house = new HttpHouse(new AdmissionLimits { MaxHttpConnections = 16 });
        var share = house.Context.Descriptors.HttpShare;
        Assert.Equal(16 + 2 + 1, share);
        var peers = new List<Socket>();
        for (var i = 0; i < 200; i++)
        {
            peers.Add(await house.ConnectAsync());
            Assert.InRange(house.Context.Descriptors.HttpOpen, 0, share);
        }

        using var newcomer = await house.ConnectAsync("127.0.0.2");
        HttpHouse.Await(
            () => house.LetIn.Any(link => HttpHouse.PlaceOf(link).Address.ToString() == "127.0.0.2"),
            "the newcomer was not let in");
        HttpHouse.Await(() => house.Context.Descriptors.HttpOpen == house.Admission.Http.Count, "descriptors are left");
        Assert.InRange(house.Admission.Http.Count, 1, 16);
        Assert.True(Shed(house, RefusalReason.Recycled) > 100);

        peers.ForEach(peer => peer.Dispose());
        newcomer.Dispose();
        HttpHouse.Await(() => house.Context.Descriptors.HttpOpen == 0, "descriptors are left");
        Assert.Equal(0, house.Admission.Http.Count);
    }

    [Fact]
    public async Task Accept_SaysNothing_ClosedAtTheHeaderDeadline()
    {
        await using var house = new HttpHouse();
        using var peer = await EnterAsync(house);
        await peer.SendAsync("GET /livez HTTP/1.1\r\nHos"u8.ToArray());

        house.Time.Advance(new HttpLimits().HttpHeaderDeadline - TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, Shed(house, RefusalReason.Silent));
        house.Time.Advance(Period);

        Assert.Equal("", await HttpHouse.ReadAsync(peer));
        Assert.Equal(1, Shed(house, RefusalReason.Silent));
        HttpHouse.Await(() => house.Context.Descriptors.HttpOpen == 0, "its descriptor is left");
    }

    /// <summary>Kestrel, with a deadline of the same length, was faster than a loop that is late.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(-1, 0)]
    public async Task End_ByOthers_CountedAsSilentWhereItsDeadlineHasPassed(int milliseconds, int count)
    {
        await using var house = new HttpHouse();
        using var peer = await EnterAsync(house);
        var link = house.LetIn.Single();
        house.Context.Deadlines.Remove((IDeadlineHolder)link);
        house.Time.Advance(new HttpLimits().HttpHeaderDeadline + TimeSpan.FromMilliseconds(milliseconds));

        await link.DisposeAsync();

        Assert.Equal(count, Shed(house, RefusalReason.Silent));
    }

    /// <summary>So were the senders of answers.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(-1, 0)]
    public async Task End_ByOthersWhileAnswersWaitForRoom_CountedWhereItsDeadlineHasPassed(int milliseconds, int count)
    {
        await using var house = new HttpHouse();
        using var peer = await EnterAsync(house);
        var link = house.LetIn.Single();
        house.Admission.Http.Begin(HttpHouse.PlaceOf(link), isRated: false);
        house.Context.Deadlines.Remove((IDeadlineHolder)link);
        // More than sockets hold.
        await link.Transport.Output.WriteAsync(new byte[1]);
        var write = link.Transport.Output.WriteAsync(new byte[64 * 1024 * 1024]).AsTask();
        Assert.False(write.IsCompleted);
        house.Time.Advance(house.Context.Limits.WriteDeadline + TimeSpan.FromMilliseconds(milliseconds));

        link.Abort(new ConnectionAbortedException());
        await write.WaitAsync(Patience.Limit);
        house.Time.Advance(TimeSpan.FromSeconds(1));
        await link.DisposeAsync();

        Assert.Equal(count, Shed(house, RefusalReason.WriteDeadline));
    }

    [Fact]
    public async Task Accept_IdleAfterAnAnswer_ClosedAtTheKeepAliveTime()
    {
        await using var house = new HttpHouse();
        using var peer = await EnterAsync(house);
        var place = HttpHouse.PlaceOf(house.LetIn.Single());
        house.Admission.Http.Begin(place, isRated: true);
        house.Time.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal(1, house.Admission.Http.Count);
        house.Admission.Http.End(place);

        house.Time.Advance(new HttpLimits().HttpKeepAliveTime - TimeSpan.FromMilliseconds(1));
        Assert.Equal(0, house.Context.Counters.HttpKeepAliveEnds);
        house.Time.Advance(Period);

        Assert.Equal("", await HttpHouse.ReadAsync(peer));
        Assert.Equal(1, house.Context.Counters.HttpKeepAliveEnds);
        Assert.Equal(0, Shed(house, RefusalReason.Silent));
    }

    [Fact]
    public async Task Accept_TooFast_AnsweredAndClosed()
    {
        await using var house = new HttpHouse(new AdmissionLimits { MaxHttpConnectionsPerSecondPerAddress = 1 });
        using var first = await EnterAsync(house);
        using var second = await EnterAsync(house);
        using var third = await EnterAsync(house);

        using var refused = await house.ConnectAsync();
        var answer = await HttpHouse.ReadAsync(refused);

        Assert.StartsWith("HTTP/1.1 429 Too Many Requests\r\n", answer, StringComparison.Ordinal);
        Assert.Contains("\r\nRetry-After: 1\r\n", answer, StringComparison.Ordinal);
        Assert.EndsWith("\"status\":429,\"statusCode\":\"BadServerTooBusy\"}", answer, StringComparison.Ordinal);
        Assert.Equal(1, Shed(house, RefusalReason.ConnectionRatePerAddress));
        HttpHouse.Await(() => house.Context.Descriptors.HttpOpen == 3, "the refused one's descriptor is left");
        using var other = await EnterAsync(house, "127.0.0.2");
    }

    [Fact]
    public async Task Accept_MoreRefusedThanAnswersASecond_ResetWithoutAnswer()
    {
        await using var house = new HttpHouse(new AdmissionLimits { MaxHttpConnections = 1 });
        using var busy = await EnterAsync(house);
        house.Admission.Http.Begin(HttpHouse.PlaceOf(house.LetIn.Single()), isRated: true);
        for (var i = 0; i < 500; i++)
            Assert.NotEqual("", await AnswerAsync(house, "127.0.0.2"));

        Assert.Equal("", await AnswerAsync(house, "127.0.0.3"));
        Assert.Equal(501, Shed(house, RefusalReason.MaxConnections));

        house.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.NotEqual("", await AnswerAsync(house, "127.0.0.3"));
    }

    [Fact]
    public async Task Accept_AllBusy_Answered503()
    {
        await using var house = new HttpHouse(new AdmissionLimits { MaxHttpConnections = 1 });
        using var busy = await EnterAsync(house);
        house.Admission.Http.Begin(HttpHouse.PlaceOf(house.LetIn.Single()), isRated: true);

        using var refused = await house.ConnectAsync("127.0.0.2");

        Assert.StartsWith(
            "HTTP/1.1 503 Service Unavailable\r\n", await HttpHouse.ReadAsync(refused), StringComparison.Ordinal);
        Assert.Equal(1, Shed(house, RefusalReason.MaxConnections));
    }

    [Fact]
    public async Task Rows_OfBothListeners_SayLimitAndUse()
    {
        await using var house = new HttpHouse(new AdmissionLimits { MaxHttpConnections = 7 });
        using var peer = await EnterAsync(house);
        var stages = house.Admission.Stages;

        Assert.Equal(7, stages.Limit(AdmissionStage.HttpConnection));
        Assert.Equal(1, stages.Use(AdmissionStage.HttpConnection));
        Assert.Equal(house.Context.Registry.Limit, stages.Limit(AdmissionStage.Connection));
    }

    /// <summary>"": none; a reset may already end the connect.</summary>
    private static async Task<string> AnswerAsync(HttpHouse house, string from)
    {
        try
        {
            using var peer = await house.ConnectAsync(from);
            return await HttpHouse.ReadAsync(peer);
        }
        catch (SocketException)
        {
            return "";
        }
    }
}
