using System.Text.Json;
using Gateway.Store;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Management;

/// <summary>What a gateway that has ended left in a store for its broker.</summary>
internal static class StoredFrames
{
    /// <summary>The NetworkMessages of all topics with data, in order.</summary>
    public static async Task<List<JsonElement>> ReadAsync(string directory)
    {
        var options = new StoreOptions { Directory = directory, Name = "test" };
        await using var store = StoreLog.Open(options, TimeProvider.System, NullLogger.Instance);
        var frames = new List<JsonElement>();
        while (store.State.Records > 0)
        {
            while (store.TryRead(out var message))
            {
                if (!message.Payload.IsEmpty)
                {
                    using var json = JsonDocument.Parse(message.Payload);
                    if (json.RootElement.GetProperty("MessageType").GetString() == "ua-data")
                        frames.Add(json.RootElement.Clone());
                }

                store.Acknowledge(message.Sequence);
            }

            if (store.State.Records > 0)
                await store.WaitToReadAsync();
        }

        return frames;
    }
}
