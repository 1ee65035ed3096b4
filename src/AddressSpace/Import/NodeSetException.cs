using System.Globalization;

namespace Gateway.AddressSpace.Import;

/// <summary>A NodeSet2 file that cannot be loaded. The message names file, line and node.</summary>
public sealed class NodeSetException : Exception
{
    public NodeSetException(string file, int line, string? node, string problem, Exception? inner = null)
        : base(Describe(file, line, node, problem), inner)
    {
        File = file;
        Line = line;
        Node = node;
    }

    public string File { get; }

    /// <summary>0 when the file as a whole is meant.</summary>
    public int Line { get; }

    /// <summary>The NodeId as the file writes it; null when no node is meant.</summary>
    public string? Node { get; }

    private static string Describe(string file, int line, string? node, string problem)
    {
        var place = line > 0 ? string.Create(CultureInfo.InvariantCulture, $"{file}({line})") : file;
        return node is null ? $"{place}: {problem}" : $"{place}: node {node}: {problem}";
    }
}
