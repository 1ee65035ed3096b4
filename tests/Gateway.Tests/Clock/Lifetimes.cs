using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;
using Gateway.Transport.Security;

namespace Gateway.Tests.Clock;

/// <summary>Things that a gateway ends by itself. Each is made when the method returns; the task says how long it has
/// lived, from before it was made.</summary>
internal sealed class Lifetimes(RunningGateway gateway, TimeSpan deadline, string endpointUrl) : IDisposable
{
    private static readonly IPAddress Guesser = IPAddress.Parse("127.0.0.77");

    private readonly UaClient _client = new(new ClientOptions { SessionTimeout = deadline });

    /// <summary>Of a session whose client has gone.</summary>
    public async Task<Task<TimeSpan>> OfSessionAsync()
    {
        var since = Stopwatch.GetTimestamp();
        var server = gateway.Get<GatewayServer>();
        var before = server.SessionCount;
        (await ConnectAsync()).Abort();
        return ElapsedAsync(since, Condition.UntilAsync(() => server.SessionCount <= before));
    }

    /// <summary>Of a subscription without a session.</summary>
    public async Task<Task<TimeSpan>> OfDetachedSubscriptionAsync()
    {
        const int intervals = 15;
        var since = Stopwatch.GetTimestamp();
        var session = await ConnectAsync();
        var subscription = await session.CreateSubscriptionAsync(
            new SubscriptionSettings
            {
                PublishingIntervalMs = deadline.TotalMilliseconds / intervals,
                LifetimeCount = intervals,
                MaxKeepAliveCount = 1,
            },
            new KeepAlives());
        await session.CloseAsync(deleteSubscriptions: false);
        var engine = gateway.Get<PublishEngine>();
        Assert.NotNull(engine.ReadSubscriptionDiagnostics(subscription.Id));
        return ElapsedAsync(
            since, Condition.UntilAsync(() => engine.ReadSubscriptionDiagnostics(subscription.Id) is null));
    }

    /// <summary>Of a connection that says nothing.</summary>
    public static async Task<Task<TimeSpan>> OfSilentSocketAsync(int port)
    {
        var since = Stopwatch.GetTimestamp();
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(IPAddress.Loopback, port);
        return ElapsedAsync(since, EndAsync(peer));
    }

    /// <summary>Of an HTTP connection behind its first answer.</summary>
    public async Task<Task<TimeSpan>> OfIdleHttpAsync()
    {
        var since = Stopwatch.GetTimestamp();
        var peer = await gateway.ConnectAsync();
        await RunningGateway.SendAsync(peer, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        await RunningGateway.ReadAsync(peer, "\r\n\r\n");
        return ElapsedAsync(since, EndAsync(peer));
    }

    /// <summary>Of a stream whose client has gone.</summary>
    public async Task<Task<TimeSpan>> OfStreamAsync()
    {
        var since = Stopwatch.GetTimestamp();
        using (var stream = await EventReader.OpenAsync(gateway.Client, "interval=100", [RestGateway.Int16]))
            await stream.NextAsync();
        var counters = gateway.Get<PublishEngine>().Counters;
        return ElapsedAsync(since, Condition.UntilAsync(() => counters.Streams == 0));
    }

    /// <summary>Of the pause after five wrong passwords, ended by the right one.</summary>
    public async Task<Task<TimeSpan>> OfLockoutAsync(string user, string password)
    {
        long since = 0;
        for (var i = 0; i < 5; i++)
        {
            since = Stopwatch.GetTimestamp();
            Assert.False(await IsLetInAsync(user, "wrong"));
        }

        return ElapsedAsync(since, LetInAsync(user, password));
    }

    public void Dispose() => _client.Dispose();

    private async Task LetInAsync(string user, string password)
    {
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        while (!await IsLetInAsync(user, password))
            await look.WaitForNextTickAsync();
    }

    private async Task<bool> IsLetInAsync(string user, string password)
    {
        var verdict = await gateway.Get<GatewayServer>().Logins.CheckAsync(
            user, Encoding.UTF8.GetBytes(password), Guesser, default);
        return verdict.Identity is not null;
    }

    private ValueTask<ClientSession> ConnectAsync() => _client.ConnectAsync(
        new ConnectSettings { EndpointUrl = endpointUrl, SecurityPolicyUri = SecurityPolicies.None.Uri });

    private static async Task EndAsync(Socket peer)
    {
        using (peer)
            await RunningGateway.ReadAsync(peer);
    }

    private static async Task<TimeSpan> ElapsedAsync(long since, Task end)
    {
        await end;
        return Stopwatch.GetElapsedTime(since);
    }
}
