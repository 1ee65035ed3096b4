using System.Net;
using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Soak;
using Gateway.Testing;

namespace Gateway.Loadtest.Tests.Scenarios.Soak;

public sealed class RelayTests : IDisposable
{

    private readonly TcpListener _server = new(IPAddress.Loopback, 0);
    private readonly Relay _relay;

    public RelayTests()
    {
        _server.Start();
        _relay = new Relay($"opc.tcp://127.0.0.1:{((IPEndPoint)_server.LocalEndpoint).Port}");
    }

    [Fact]
    public async Task Relay_BothWays_PassesBytesOn()
    {
        var (client, server) = await ConnectAsync();

        await client.SendAsync("to"u8.ToArray());
        await server.SendAsync("fro"u8.ToArray());

        Assert.Equal("to", await ReadAsync(server, 2));
        Assert.Equal("fro", await ReadAsync(client, 3));
    }

    /// <summary>Before the connection: else the read that may be under way takes one more portion.</summary>
    [Fact]
    public async Task StopReading_ThenGoOn_WhatWaitedArrives()
    {
        _relay.StopReading();
        var (client, server) = await ConnectAsync();

        await server.SendAsync("c"u8.ToArray());
        await client.SendAsync("d"u8.ToArray());
        Assert.Equal("d", await ReadAsync(server, 1));
        Assert.Equal(0, client.Available);
        _relay.GoOn();

        Assert.Equal("c", await ReadAsync(client, 1));
    }

    [Fact]
    public async Task Cut_WhileConnected_ResetsTheServersSide()
    {
        var (_, server) = await ConnectAsync();

        _relay.Cut();

        await Assert.ThrowsAsync<SocketException>(() => ReadAsync(server, 1));
    }

    public void Dispose()
    {
        _relay.Dispose();
        _server.Dispose();
    }

    private async Task<(Socket Client, Socket Server)> ConnectAsync()
    {
        var client = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.Loopback, new Uri(_relay.Url).Port);
        return (client, await _server.AcceptSocketAsync().WaitAsync(Patience.Limit));
    }

    private static async Task<string> ReadAsync(Socket socket, int count)
    {
        var buffer = new byte[count];
        for (var read = 0; read < count;)
        {
            var part = await socket.ReceiveAsync(buffer.AsMemory(read)).AsTask().WaitAsync(Patience.Limit);
            Assert.NotEqual(0, part);
            read += part;
        }

        return System.Text.Encoding.ASCII.GetString(buffer);
    }
}
