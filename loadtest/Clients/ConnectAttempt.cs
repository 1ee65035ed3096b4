using System.Net.Sockets;
using System.Text.RegularExpressions;
using Gateway.Client;

namespace Gateway.Loadtest.Clients;

/// <summary>One try to become active, and its result.</summary>
/// <param name="Session">Null: it failed.</param>
/// <param name="Refusal">StatusCode and reason that the client got, numbers of the hint left out; empty: none.
/// </param>
/// <param name="RetryAfter">The server's hint; null: it gave none.</param>
/// <param name="IsOutOfPatience">No refusal: the client gave up.</param>
internal sealed partial record ConnectAttempt(
    ClientSession? Session, string Refusal, TimeSpan? RetryAfter, bool IsOutOfPatience)
{
    public const string OutOfPatience = "(the client's patience was over)";

    public static async Task<ConnectAttempt> RunAsync(
        ClientFleet fleet, UaClient client, TimeSpan patience, CancellationToken cancellation = default)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(patience);
        try
        {
            return new ConnectAttempt(await fleet.ConnectAsync(client, limit.Token), string.Empty, null, false);
        }
        catch (Exception) when (limit.IsCancellationRequested)
        {
            return new ConnectAttempt(null, OutOfPatience, null, true);
        }
        catch (ServiceException refused)
        {
            return new ConnectAttempt(null, Plain(refused.Message), refused.RetryAfter, false);
        }
        catch (Exception failed) when (failed is SocketException or IOException or ObjectDisposedException)
        {
            return new ConnectAttempt(null, failed.GetType().Name, null, false);
        }
    }

    /// <summary>Equal refusals have equal texts.</summary>
    public static string Plain(string text) => Hint().Replace(text, "RetryAfterMs=n");

    [GeneratedRegex("RetryAfterMs=[0-9]+")]
    private static partial Regex Hint();
}
