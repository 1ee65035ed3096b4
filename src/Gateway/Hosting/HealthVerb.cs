using System.Net;
using Gateway.Host.Configuration;

namespace Gateway.Host.Hosting;

/// <summary><c>health</c>: asks the gateway that runs beside it with the same configuration whether it lives, for
/// containers that have no other program. Exit codes: 0 it does, 1 it does not.</summary>
internal static class HealthVerb
{
    public const string Name = "health";

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    public static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter errors)
    {
        try
        {
            var options = new GatewayOptions(new ConfigurationLayers(CommandLine.ReadConfiguration(arguments)));
            var (isHealthy, answer) = await AskAsync(options.Http).ConfigureAwait(false);
            await (isHealthy ? output : errors).WriteLineAsync(answer).ConfigureAwait(false);
            return isHealthy ? 0 : 1;
        }
        catch (Exception error) when (
            error is InvalidDataException or HttpRequestException or OperationCanceledException)
        {
            await errors.WriteLineAsync("No answer: " + error.Message).ConfigureAwait(false);
            return 1;
        }
    }

    private static async Task<(bool IsHealthy, string Answer)> AskAsync(HttpOptions http)
    {
        // It asks its own machine, and sends nothing that is secret: whose certificate it is does not matter.
        using var handler = new SocketsHttpHandler
        {
            UseProxy = false,
            SslOptions = new()
            {
#pragma warning disable CA5359 // See above.
                RemoteCertificateValidationCallback = static (_, _, _, _) => true,
#pragma warning restore CA5359
            },
        };
        using var client = new HttpClient(handler) { Timeout = Timeout };
        var isAny = http.EndPoint.Address.Equals(IPAddress.Any) || http.EndPoint.Address.Equals(IPAddress.IPv6Any);
        var place = isAny ? new IPEndPoint(IPAddress.Loopback, http.EndPoint.Port) : http.EndPoint;
        using var answer = await client.GetAsync(new Uri($"{http.Scheme}://{place}{HealthEndpoints.Live}"))
            .ConfigureAwait(false);
        return (answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync().ConfigureAwait(false));
    }
}
