from django.urls import include, re_path
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response
from rest_framework.routers import SimpleRouter
from rest_framework_json_api import relations, serializers, views
from rest_framework_json_api.pagination import JsonApiLimitOffsetPagination

from .models import Article, Person, Tag


def related(model, **options):
    """A relationship of articles, with both of its links."""
    return relations.ResourceRelatedField(
        queryset=model.objects.all(),
        self_link_view_name="articles-relationships",
        related_link_view_name="articles-related",
        required=False,
        **options,
    )


class PersonSerializer(serializers.ModelSerializer):
    articles = relations.ResourceRelatedField(many=True, read_only=True)
    included_serializers = {"articles": "blog.api.ArticleSerializer"}

    class Meta:
        model = Person
        fields = ["name", "articles"]

class TagSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tag
        fields = ["label"]

class ArticleSerializer(serializers.ModelSerializer):
    author = related(Person, allow_null=True)
    tags = related(Tag, many=True)
    included_serializers = {"author": PersonSerializer, "tags": TagSerializer}

    class Meta:
        model = Article
        fields = ["title", "subtitle", "word_count", "published_at", "author", "tags"]

class PersonView(views.ModelViewSet):
    queryset = Person.objects.all()
    serializer_class = PersonSerializer


class TagView(views.ModelViewSet):
    queryset = Tag.objects.all()
    serializer_class = TagSerializer


class ArticleView(views.ModelViewSet):
    queryset = Article.objects.all()
    serializer_class = ArticleSerializer
    filter_fields = ["title", "author"]
    ordering_fields = ["title", "word_count", "id"]


class OffsetView(ArticleView):
    pagination_class = JsonApiLimitOffsetPagination


class CursorView(ArticleView):
    class Pagination(CursorPagination):
        """The cursors are in links alone."""

        cursor_query_param = "page[cursor]"
        page_size_query_param = "page[size]"
        ordering = "id"

        def get_paginated_response(self, data):
            links = {"next": self.get_next_link(), "prev": self.get_previous_link()}
            return Response({"results": data, "links": links})

    pagination_class = Pagination


class ArticleRelationshipView(views.RelationshipView):
    queryset = Article.objects.all()
    self_link_view_name = "articles-relationships"


router = SimpleRouter()
router.register("people", PersonView)
router.register("tags", TagView)
router.register("articles", ArticleView)
router.register("by-offset", OffsetView, basename="by-offset")
router.register("by-cursor", CursorView, basename="by-cursor")

urlpatterns = [
    re_path(
        r"^articles/(?P<pk>[^/.]+)/relationships/(?P<related_field>[-\w]+)/$",
        ArticleRelationshipView.as_view(),
        name="articles-relationships",
    ),
    re_path(
        r"^articles/(?P<pk>[^/.]+)/(?P<related_field>[-\w]+)/$",
        ArticleView.as_view({"get": "retrieve_related"}),
        name="articles-related",
    ),
    re_path(r"^", include(router.urls)),
]
