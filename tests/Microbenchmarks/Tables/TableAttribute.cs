namespace Gateway.Microbenchmarks.Tables;

/// <summary>A class of benchmarks that <c>tables</c> prints.</summary>
/// <param name="order">Where in the page.</param>
/// <param name="title">Heading.</param>
/// <param name="note">One paragraph of Markdown: what is measured.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class TableAttribute(int order, string title, string note) : Attribute
{
    public int Order => order;

    public string Title => title;

    public string Note => note;

    /// <summary>Bytes are those of the server alone: the process's less those of the thread that calls.</summary>
    public bool CountsServer { get; init; }
}
