namespace Gateway.PubSub.States;

/// <summary>One DataSetWriter, for people.</summary>
/// <param name="Name">Of the configuration.</param>
/// <param name="DataSetWriterId">In each of its messages.</param>
/// <param name="DataSet">The data set that it publishes.</param>
/// <param name="Messages">DataSetMessages with fields.</param>
/// <param name="Topic">Of its messages; empty for datagrams.</param>
public sealed record WriterReport(string Name, int DataSetWriterId, string DataSet, long Messages, string Topic);
