using System.Net;
using System.Net.Sockets;
using Gateway.Testing;
using Gateway.Transport.Reverse;

namespace Gateway.Transport.Tests.Reverse;

/// <summary>More addresses than places say that they are one server.</summary>
public sealed class ReverseRoomTests : IDisposable
{
    private const string Key = "press";
    private const int Server = 9;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<Socket> _sockets = [];
    private readonly List<(int Address, ReverseOutcome Outcome)> _ended = [];
    private readonly ReverseRoom _room;

    public ReverseRoomTests()
    {
        _listener.Start();
        _room = new ReverseRoom(
            new ManualTimeProvider(), (guest, outcome) => _ended.Add((NumberOf(guest.Address), outcome)));
        _room.Configure([Key]);
    }

    public void Dispose()
    {
        _room.Close();
        _listener.Dispose();
        _sockets.ForEach(static one => one.Dispose());
    }

    /// <summary>They come again before each turn, faster than the server, which waits before it tries again.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(8)]
    public async Task Take_StrangersComeAgainAndAgain_TheServerHasItsTurn(int strangers)
    {
        List<int> turns = [];
        while (!turns.Contains(Server) && turns.Count < 20)
        {
            Come(Server);
            for (var i = 1; i <= strangers; i++)
                Come(i);
            turns.Add(await TakeAsync());
        }

        Assert.InRange(turns.Count, 1, strangers + 1);
    }

    /// <summary>It was refused, because nobody had trusted its certificate.</summary>
    [Fact]
    public async Task Take_TheServerHadItsTurnInVain_HasAnotherBehindTheOthers()
    {
        Come(Server);
        Assert.Equal(Server, await TakeAsync());
        List<int> turns = [];
        for (var i = 0; i < 10; i++)
        {
            Come(Server);
            for (var stranger = 1; stranger <= 4; stranger++)
                Come(stranger);
            turns.Add(await TakeAsync());
        }

        Assert.InRange(turns.IndexOf(Server), 0, 4);
        Assert.InRange(turns.Count(static one => one == Server), 2, 4);
    }

    /// <summary>A conversation needs two connections, for discovery and for the session.</summary>
    [Fact]
    public async Task Take_TheRoomIsFullDuringAConversation_ItsSecondConnectionIsKept()
    {
        Come(Server);
        Assert.Equal(Server, await TakeAsync());
        for (var i = 1; i <= 4; i++)
            Come(i);

        Come(Server);

        Assert.Equal(Server, await TakeAsync(AddressOf(Server)));
        Assert.Equal([(1, ReverseOutcome.Surplus)], _ended);
    }

    [Fact]
    public void Place_TheRoomIsFullOfOthers_TheOldestMakesRoom()
    {
        for (var i = 1; i <= 5; i++)
            Come(i);

        Assert.Equal([(1, ReverseOutcome.Surplus)], _ended);
    }

    private static IPAddress AddressOf(int number) => IPAddress.Parse($"127.0.3.{number}");

    private static int NumberOf(IPAddress address) => address.GetAddressBytes()[3];

    private async Task<int> TakeAsync(IPAddress? from = null)
    {
        var taken = await _room.TakeAsync(Key, from, default).AsTask().WaitAsync(Patience.Limit);
        taken.Socket.Dispose();
        return NumberOf(taken.Address);
    }

    private void Come(int number)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(socket);
        socket.Bind(new IPEndPoint(AddressOf(number), 0));
        socket.Connect(_listener.LocalEndpoint);
        var guest = new ReverseGuest(_listener.AcceptSocket());
        _sockets.Add(guest.Socket);
        Assert.True(_room.TryPlace(Key, guest));
    }
}
