using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Outputs;

/// <summary>The knowledge of a DataSetWriter that a subscriber needs before its messages.</summary>
/// <param name="Group">Its group.</param>
/// <param name="Writer">With its metadata.</param>
/// <param name="Topic">Of its messages.</param>
public sealed record Announcement(GroupDescription Group, WriterDescription Writer, string Topic);
