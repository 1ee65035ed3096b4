using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Admission;
using Gateway.Admission.Door;
using Gateway.Testing;
using Gateway.Transport.Http;
using Gateway.Transport.Tests.Support;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Tests.Http;

/// <summary>A real HTTP listener on the loopback, on time that a test moves; nobody reads what its peers say.</summary>
internal sealed class HttpHouse : IAsyncDisposable
{
    private readonly HttpSocketListener _listener;
    private readonly Task _accepting;

    public HttpHouse(AdmissionLimits? limits = null, HttpLimits? http = null)
    {
        Admission = new AdmissionControl(limits ?? new AdmissionLimits(), Time, true, 200);
        Context = TestTransport.Make(null, Time, admission: Admission, http: http);
        _listener = new HttpSocketListener(
            new IPEndPoint(IPAddress.Loopback, 0),
            new SocketConnectionContextFactory(
                new SocketConnectionFactoryOptions(), NullLogger<SocketConnectionContextFactory>.Instance),
            Context);
        _accepting = AcceptAsync();
    }

    public ManualTimeProvider Time { get; } = new();

    public AdmissionControl Admission { get; }

    public TransportContext Context { get; }

    public ConcurrentQueue<ConnectionContext> LetIn { get; } = new();

    public static void Await(Func<bool> condition, string what)
    {
        if (!SpinWait.SpinUntil(condition, Patience.Limit))
            throw new TimeoutException(what);
    }

    public static HttpPlace PlaceOf(ConnectionContext link) => link.Features.Get<HttpPlace>()!;

    /// <summary>All that it says until it closes.</summary>
    public static async Task<string> ReadAsync(Socket peer)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        var text = new StringBuilder();
        var bytes = new byte[1024];
        try
        {
            while (await peer.ReceiveAsync(bytes, patience.Token) is > 0 and var count)
                text.Append(Encoding.ASCII.GetString(bytes, 0, count));
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            // Closed all the same.
        }

        return text.ToString();
    }

    public async Task<Socket> ConnectAsync(string from = "127.0.0.1")
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        peer.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        await peer.ConnectAsync(_listener.EndPoint);
        return peer;
    }

    /// <summary>As Kestrel does when its loop has ended: each that was aborted is disposed.</summary>
    public async ValueTask DisposeAsync()
    {
        await _listener.UnbindAsync();
        await _accepting;
        foreach (var link in LetIn)
            await link.DisposeAsync();
        await _listener.DisposeAsync();
        Context.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (await _listener.AcceptAsync() is { } link)
        {
            link.ConnectionClosed.UnsafeRegister(
                static link => _ = ((ConnectionContext)link!).DisposeAsync().AsTask(), link);
            LetIn.Enqueue(link);
        }
    }
}
