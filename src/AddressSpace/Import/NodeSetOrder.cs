using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Import;

/// <summary>The order in which files are loaded: each after those that it needs, otherwise as given.</summary>
internal static class NodeSetOrder
{
    public static IReadOnlyList<string> Sort(
        IReadOnlyList<string> paths, NamespaceTable namespaces, NodeSetLimits limits)
    {
        var files = paths.Select(path => (Path: path, Models: NodeSetHeaderReader.Read(path, limits))).ToList();
        var bringers = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (path, models) in files)
        {
            foreach (var model in models)
            {
                if (namespaces.TryGetIndex(model.Uri, out _))
                    throw new NodeSetException(path, 0, null, $"the model {model.Uri} is loaded already");
                if (!bringers.TryAdd(model.Uri, path))
                    throw new NodeSetException(
                        path, 0, null, $"the model {model.Uri} is also in {bringers[model.Uri]}");
            }
        }

        var sorted = new List<string>();
        while (sorted.Count < files.Count)
        {
            var waiting = files.Where(file => !sorted.Contains(file.Path)).ToList();
            var next = waiting.FirstOrDefault(
                file => file.Models.All(model => model.Required.All(uri => IsReady(uri, file.Path))));
            if (next.Path is null)
                throw Missing(waiting[0].Path, waiting[0].Models);
            sorted.Add(next.Path);
        }

        return sorted;

        bool IsReady(string uri, string neededBy) => bringers.TryGetValue(uri, out var path)
            ? path == neededBy || sorted.Contains(path)
            : namespaces.TryGetIndex(uri, out _);

        NodeSetException Missing(string path, List<NodeSetModelInfo> models)
        {
            var missing = models.SelectMany(static model => model.Required).FirstOrDefault(
                uri => !bringers.ContainsKey(uri) && !namespaces.TryGetIndex(uri, out _));
            return new NodeSetException(path, 0, null, missing is null
                ? "needs models that need it: they cannot be put in order"
                : $"the model {missing} that it needs is not there");
        }
    }
}
