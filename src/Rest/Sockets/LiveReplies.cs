using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Access;

namespace Gateway.Rest.Sockets;

/// <summary>Sends the answers of one WebSocket, in turn with the batches of its streams. Owner: the conversation.
/// </summary>
internal sealed class LiveReplies(SocketConnection connection, LiveAnswers answers)
{
    public static UaJsonWriter Ended(UaJsonWriter writer)
    {
        writer.EndObject();
        return writer;
    }

    public ValueTask ErrorAsync(LiveOp op, StatusCode status, string? detail) =>
        SendAsync(answers.Error(status, detail, op.Id));

    /// <summary>Returns the writer.</summary>
    public async ValueTask SendAsync(UaJsonWriter writer)
    {
        try
        {
            await connection.SendAsync(writer.WrittenMemory).ConfigureAwait(false);
        }
        finally
        {
            writer.Return();
        }
    }

    /// <summary>No value comes between the work and its answer, which tells what was done within its time.</summary>
    public async Task InTurnAsync(RestRequest request, Func<ValueTask> work, Func<UaJsonWriter> answer)
    {
        await connection.EnterAsync().ConfigureAwait(false);
        try
        {
            try
            {
                await work().ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!connection.Gone.IsCancellationRequested)
            {
                // Its time is over: the results say which nodes were left.
            }

            request.EndTurns();
            var writer = answer();
            try
            {
                await connection.SendInTurnAsync(writer.WrittenMemory).ConfigureAwait(false);
            }
            finally
            {
                writer.Return();
            }
        }
        finally
        {
            connection.Leave();
        }
    }
}
