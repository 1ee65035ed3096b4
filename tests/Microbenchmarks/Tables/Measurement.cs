namespace Gateway.Microbenchmarks.Tables;

/// <param name="Nanoseconds">Median of the batches, an operation.</param>
/// <param name="Bytes">Allocated, an operation.</param>
internal readonly record struct Measurement(double Nanoseconds, double Bytes);
