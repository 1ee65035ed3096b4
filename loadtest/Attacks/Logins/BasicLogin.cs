using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>Logins over HTTP from the attackers' addresses.</summary>
internal static class BasicLogin
{
    /// <summary>No connection is status 0.</summary>
    public static Task<HttpStatusCode> AskAsync(
        HttpClient client, Uri page, string user, string password, CancellationToken cancellation) =>
        AskAsync(
            client, page, Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{password}")), cancellation);

    /// <param name="client">Of <see cref="ClientOf"/>.</param>
    /// <param name="page">That asks for a user.</param>
    /// <param name="credentials">As they stand behind Basic.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    public static async Task<HttpStatusCode> AskAsync(
        HttpClient client, Uri page, string credentials, CancellationToken cancellation)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, page);
        request.Headers.Authorization = new AuthenticationHeaderValue("Basic", credentials);
        try
        {
            using var answer = await client.SendAsync(request, cancellation);
            return answer.StatusCode;
        }
        catch (HttpRequestException)
        {
            return 0;
        }
    }

    public static HttpClient ClientOf(int address)
    {
#pragma warning disable CA2000 // the client disposes its handler
        var handler = new SocketsHttpHandler
        {
            ConnectCallback = async (connection, cancellation) =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                try
                {
                    socket.Bind(new IPEndPoint(WireTarget.AddressOf(address), 0));
                    await socket.ConnectAsync(connection.DnsEndPoint, cancellation);
                    return new NetworkStream(socket, ownsSocket: true);
                }
                catch
                {
                    socket.Dispose();
                    throw;
                }
            },
        };
#pragma warning restore CA2000
        return new HttpClient(handler);
    }
}
