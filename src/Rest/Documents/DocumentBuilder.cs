using System.Text.Json.Nodes;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;

namespace Gateway.Rest.Documents;

/// <summary>Makes an OpenAPI document of the endpoints that are mapped: what is not mapped is not described.
/// Thread-safe. Source: OpenAPI 3.1.</summary>
/// <param name="endpoints">All of the host's.</param>
/// <param name="limits">As configured.</param>
/// <param name="security">Those that the host takes.</param>
internal sealed class DocumentBuilder(
    EndpointDataSource endpoints, ApiLimits limits, IEnumerable<ApiSecurity> security)
{
    private const string Version = "3.1.1";

    /// <summary>Errors: InvalidOperationException, JsonException for a description that cannot be read.</summary>
    public JsonObject Build(ApiInfo api)
    {
        var (paths, schemas, tags) = (new JsonObject(), ApiText.Parse(ProblemResponses.Schemas), new JsonArray());
        var structures = new HashSet<Type>();
        foreach (var (path, method, operation) in OperationsOf(endpoints, api.Root))
        {
            var described = operation.Read();
            ProblemResponses.AddTo(described, operation, security.Contains(ApiSecurity.Bearer));
            AddTags(tags, described);
            if (paths[path] is not JsonObject item)
                paths[path] = item = new JsonObject();
            item[method.ToLowerInvariant()] = described;
            foreach (var (name, schema) in ApiText.Parse(operation.Schemas()))
                schemas[name] = schema!.DeepClone();
            structures.UnionWith(operation.Structures);
        }

        new StructureSchemas(schemas).Add(structures);
        var document = new JsonObject
        {
            ["openapi"] = Version,
            ["info"] = new JsonObject
            {
                ["title"] = api.Title,
                ["description"] = api.Description,
                ["version"] = "1",
                ["license"] = new JsonObject { ["name"] = "MIT", ["identifier"] = "MIT" },
            },
            ["servers"] = new JsonArray(new JsonObject { ["url"] = api.Root }),
            ["security"] = new JsonArray(
                [.. security.Select(static one => new JsonObject { [one.Name] = new JsonArray() })]),
            ["tags"] = tags,
            ["paths"] = paths,
            ["components"] = new JsonObject
            {
                ["schemas"] = schemas,
                ["securitySchemes"] = new JsonObject(
                    security.Select(static one => KeyValuePair.Create(one.Name, (JsonNode?)ApiText.Parse(one.Json)))),
            },
        };
        limits.Fill(document);
        return document;
    }

    private static IEnumerable<(string Path, string Method, ApiOperation Operation)> OperationsOf(
        EndpointDataSource endpoints, string root) =>
        from endpoint in endpoints.Endpoints.OfType<RouteEndpoint>()
        let pattern = endpoint.RoutePattern.RawText ?? ""
        where pattern == root || pattern.StartsWith(root + "/", StringComparison.Ordinal)
        from operation in endpoint.Metadata.GetOrderedMetadata<ApiOperation>()
        from method in endpoint.Metadata.GetMetadata<HttpMethodMetadata>()?.HttpMethods ?? []
        where !HttpMethods.IsHead(method)
        select (operation.Path ?? PathOf(pattern[root.Length..]), method, operation);

    /// <summary>A parameter that takes the rest of a path has its plain name.</summary>
    private static string PathOf(string pattern) => pattern.Replace("{**", "{", StringComparison.Ordinal);

    private static void AddTags(JsonArray tags, JsonObject described)
    {
        foreach (var tag in described["tags"]?.AsArray() ?? [])
        {
            var name = tag!.GetValue<string>();
            if (tags.All(known => known!["name"]!.GetValue<string>() != name))
                tags.Add(new JsonObject { ["name"] = name });
        }
    }
}
