namespace Gateway.Rest.Conversion;

/// <summary>A value in a body that is read once its type is known.</summary>
/// <param name="Body">The whole text.</param>
/// <param name="Range">The range of the value in it.</param>
internal readonly record struct JsonPiece(ReadOnlyMemory<byte> Body, Range Range)
{
    public ReadOnlySpan<byte> Text => Body.Span[Range];
}
