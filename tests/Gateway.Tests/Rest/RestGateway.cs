using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Server.Users;
using Gateway.Sources;
using Gateway.Tests.Http;

namespace Gateway.Tests.Rest;

/// <summary>A whole gateway in this process with one user of each role, and a client for each of them.</summary>
internal sealed class RestGateway : IAsyncDisposable
{
    public const string Int16 = "nsu=urn:gateway:simulator;s=Int16";

    /// <summary>Made once, and of the fewest iterations: else it would be most of what a start costs.</summary>
    private static readonly PasswordHash Horse = PasswordHash.Create("horse"u8, iterations: 10_000);

    private readonly List<HttpClient> _clients = [];

    private RestGateway(RunningGateway host)
    {
        Host = host;
        (Observer, Operator, Engineer) = (ClientOf("observer"), ClientOf("operator"), ClientOf("engineer"));
        SecurityAdmin = ClientOf("securityadmin");
    }

    public RunningGateway Host { get; }

    public HttpClient Observer { get; }

    public HttpClient Operator { get; }

    public HttpClient Engineer { get; }

    public HttpClient SecurityAdmin { get; }

    public static Task<RestGateway> StartAsync(params string[] options) => StartAsync([], options);

    /// <param name="drivers">Beside the product's.</param>
    /// <param name="options">As on the command line.</param>
    public static Task<RestGateway> StartAsync(SourceDriverRegistration[] drivers, params string[] options) =>
        StartAsync(TimeProvider.System, drivers, options);

    /// <param name="time">Of all parts.</param>
    /// <param name="drivers">Beside the product's.</param>
    /// <param name="options">As on the command line.</param>
    public static async Task<RestGateway> StartAsync(
        TimeProvider time, SourceDriverRegistration[] drivers, params string[] options) =>
        new(await RunningGateway.StartAsync(
            time, drivers, static _ => { },
            [.. new[] { "Observer", "Operator", "Engineer", "SecurityAdmin" }.SelectMany(UserOf), .. options]));

    public static async Task<JsonElement> JsonOf(HttpResponseMessage answer)
    {
        using var document = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        return document.RootElement.Clone();
    }

    /// <summary>The answer's status and JSON.</summary>
    public static async Task<(int Status, JsonElement Json)> GetAsync(HttpClient client, string path)
    {
        using var answer = await client.GetAsync(path);
        return ((int)answer.StatusCode, await JsonOf(answer));
    }

    /// <summary>The answer's status and JSON.</summary>
    public static async Task<(int Status, JsonElement Json)> SendAsync(
        HttpClient client, HttpMethod method, string path, string body)
    {
        using var request = new HttpRequestMessage(method, path);
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        using var answer = await client.SendAsync(request);
        return ((int)answer.StatusCode, await JsonOf(answer));
    }

    public static string Query(string path, params string[] nodes) =>
        $"{path}?{string.Join('&', nodes.Select(node => "node=" + Uri.EscapeDataString(node)))}";

    /// <summary>A new value of one of the simulator's nodes.</summary>
    public void Set(string id, in Variant value) =>
        Host.Get<ValueStore>().Set(Find(id), new DataValue(value) { SourceTimestamp = DateTime.UnixEpoch });

    public DataValue Read(string id) => Host.Get<ValueStore>().Read(Find(id));

    public async ValueTask DisposeAsync()
    {
        foreach (var client in _clients)
            client.Dispose();
        await Host.DisposeAsync();
    }

    /// <summary>Of the same user as another one, from an address of its own.</summary>
    public HttpClient ClientAt(IPAddress address, HttpClient like)
    {
        var client = new HttpClient(new SocketsHttpHandler
        {
            ConnectCallback = async (to, cancellation) =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                socket.Bind(new IPEndPoint(address, 0));
                await socket.ConnectAsync(IPAddress.Loopback, to.DnsEndPoint.Port, cancellation);
                return new NetworkStream(socket, ownsSocket: true);
            },
        })
        {
            BaseAddress = Host.Client.BaseAddress,
        };
        client.DefaultRequestHeaders.Authorization = like.DefaultRequestHeaders.Authorization;
        return client;
    }

    private static IEnumerable<string> UserOf(string role, int index) =>
    [
        $"--Users:{index}:Name={role.ToLowerInvariant()}", $"--Users:{index}:PasswordHash={Horse}",
        $"--Users:{index}:Roles:0={role}",
    ];

    private HttpClient ClientOf(string user)
    {
        var client = new HttpClient(new DescribedAnswers(Host.Client.BaseAddress!))
        {
            BaseAddress = Host.Client.BaseAddress,
        };
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue(
            "Basic", Convert.ToBase64String(Encoding.UTF8.GetBytes(user + ":horse")));
        _clients.Add(client);
        return client;
    }

    private NodeHandle Find(string id) => Host.Get<NodeTable>().Find(new NodeId(id, 2));
}
