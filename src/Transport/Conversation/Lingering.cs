using System.IO.Pipelines;

namespace Gateway.Transport.Conversation;

/// <summary>After an ERR the peer may be sending still: a close with unread bytes resets the connection, and the ERR
/// could be lost with it. So they are read and dropped, for a moment, until the peer closes.</summary>
internal static class Lingering
{
    public static async Task DropAsync(PipeReader input, long atMostBytes)
    {
        try
        {
            while (atMostBytes > 0)
            {
                var result = await input.ReadAsync().ConfigureAwait(false);
                atMostBytes -= result.Buffer.Length;
                input.AdvanceTo(result.Buffer.End);
                if (result.IsCompleted || result.IsCanceled)
                    return;
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // Gone: so much the better.
        }
    }
}
