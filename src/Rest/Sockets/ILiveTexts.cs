using Gateway.Publish.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>Makes the messages of one stream of a WebSocket. Disposed, it holds nothing until the next batch.</summary>
internal interface ILiveTexts : IDisposable
{
    /// <summary>Of the last <see cref="Write"/>; until the next.</summary>
    ReadOnlyMemory<byte> Text { get; }

    /// <summary>The next message of a batch; the first tells what was skipped. False: nothing is left to be told.
    /// </summary>
    /// <param name="batch">With changes from there on.</param>
    /// <param name="next">The first of the message, then the first of the one behind it.</param>
    bool Write(StreamBatch batch, ref int next);
}
